/** Type of the failure with which `prepareWorkspace` turns an execution away whose run id is another execution's. */
export const RUN_NOT_HELD = 'run-not-held';

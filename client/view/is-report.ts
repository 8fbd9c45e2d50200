/** Whether the outcome of an attempt is the status of a report: its round has ended then. */
export const isReport = (outcome: string): boolean => ['continue', 'complete', 'blocked'].includes(outcome);

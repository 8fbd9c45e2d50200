/** A process's environment as it is handed around; read-only, so that nothing of ours changes it on the way. */
export type Environment = Readonly<Record<string, string | undefined>>;

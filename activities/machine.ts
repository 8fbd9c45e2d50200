/** What the activities of one machine need to know of it. */
export interface Machine {
  readonly ralphHome: string;
  /** The worker's own environment: agents get the names that their provider declares, nothing else. */
  readonly workerEnv: Readonly<Record<string, string | undefined>>;
}

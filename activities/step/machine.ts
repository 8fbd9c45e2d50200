import type { Redactor } from '../../redaction/redactor.ts';

/** What the activities of one machine need to know of it. */
export interface Machine {
  readonly ralphHome: string;
  /** The worker's own environment: agents get the names that their provider declares, nothing else. */
  readonly workerEnv: Readonly<Record<string, string | undefined>>;
  /** Everything that an agent has a hand in goes through it before it is written down or told to Temporal. */
  readonly redactor: Redactor;
}

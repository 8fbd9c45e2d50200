/** Why a run is as it is, in plain words. Texts of others in it are made printable where they are printed. */
export interface Why {
  /** One sentence: what it does, waits for, or ended by. */
  readonly why: string;
  /** What that goes by. */
  readonly evidence: readonly string[];
  /** Commands to go on with. */
  readonly next: readonly (readonly [command: string, what: string])[];
}

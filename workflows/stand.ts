import type { LoopState } from '../schemas/loop.ts';

/** Where a run stands at any moment: what a cancel or an error finds, and what the user said just before. */
export interface Stand {
  /** Null before the workspace is there. */
  state: LoopState | null;
  /** The round that something is done about; 0 before the first. */
  round: number;
  cancelReason: string | null;
}

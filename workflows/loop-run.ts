import type { LoopSettings } from '../schemas/loop/loop.ts';
import type { RunRequest } from '../schemas/run/run.ts';
import type { RunActivities } from './activity-proxies.ts';
import type { Remember } from './run-memo.ts';
import type { Stand } from './stand.ts';
import type { Steered } from './steered.ts';

/** What every part of the loop goes by. */
export interface LoopRun {
  readonly request: RunRequest;
  readonly settings: LoopSettings;
  readonly activities: RunActivities;
  readonly remember: Remember;
  readonly steered: Steered;
  readonly stand: Stand;
}

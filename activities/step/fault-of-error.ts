import { RalphError } from '../../schemas/errors/index.ts';
import type { Fault } from '../../schemas/round/fault.ts';
import { SpawnerLost } from '../../workspaces/git/git-spawner.ts';
import { roomFault } from './room-fault.ts';

/** The fault of something that could not be begun, for a person to read. A defect of ours is thrown on. */
export function faultOfError(error: unknown, code: 'agent-unavailable' | 'workspace-broken'): Fault {
  if (error instanceof SpawnerLost || !(error instanceof RalphError)) throw error;
  return roomFault(error) ?? { code, message: error.message, resetAt: null };
}

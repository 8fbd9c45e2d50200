import { type RalphError, ralphError } from '../../../schemas/errors/index.ts';
import type { Mechanism } from '../../../schemas/round/receipt.ts';

/** The error of a container that did not come up; its `cause` says why in words alone, for another error's text. */
export function containerFailed(mechanism: Mechanism, cause: string): RalphError {
  return ralphError('container-failed', { mechanism, cause }, { cause: new Error(cause) });
}

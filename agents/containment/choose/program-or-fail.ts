import type { Mechanism } from '../../../schemas/round/receipt.ts';
import { findOnPath } from '../../../system/processes/on-path.ts';
import { containerFailed } from './container-failed.ts';

/** Where a mechanism's own program stands on the worker's PATH. */
export function programOrFail(name: string, mechanism: Mechanism): string {
  const file = findOnPath(name, process.env.PATH);
  if (file === null) throw containerFailed(mechanism, `there is no ${name} on PATH`);
  return file;
}

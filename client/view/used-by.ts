import type { RunMemo } from '../../schemas/loop/memo.ts';
import type { Spent } from '../../schemas/budget/budget.ts';
import { withLost } from '../../workspaces/records/lost-steps.ts';
import type { DiskRun } from './disk-run.ts';
import type { RunView } from './run-view.ts';
import type { KnownRun } from './summarize-run.ts';

/**
 * What it used and may use: as Temporal has it, else as it was written down at the end. Of a run that was made before
 * that was counted it is unknown.
 */
export async function usedBy({
  temporal,
  disk,
}: KnownRun & { disk: DiskRun | null }): Promise<Pick<RunView, 'budgets' | 'spent'>> {
  const memo = temporal === null ? null : temporal.memo;
  const told = (spent: Spent): Spent | null => (spent.timeMs === 0 && (disk?.last ?? null) !== null ? null : spent);
  if (memo !== null) return { budgets: memo.budgets, spent: told(await spentSoFar(memo, disk)) };
  const ending = disk === null ? null : disk.ending;
  const asked = disk === null || disk.request === null ? null : disk.request.budgets;
  if (ending === null) return { budgets: asked, spent: null };
  return { budgets: ending.ceilings === null ? asked : ending.ceilings.budgets, spent: told(ending.spent) };
}

/** What a pause ended is charged when the loop goes on; until then the disk alone knows of it. */
async function spentSoFar({ status, spent, known }: RunMemo, disk: DiskRun | null): Promise<Spent> {
  if (status !== 'paused' || known === null || disk === null) return spent;
  // A damaged record: `show --round` says what is wrong with it.
  return await withLost(disk.paths, spent, known).catch(() => spent);
}

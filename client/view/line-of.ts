import { predecessors } from '../../workspaces/records/runs.ts';
import { nothingSpent, type Spent } from '../../schemas/budget/budget.ts';
import { type DiskRun, diskRun } from './disk-run.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { roundsUsed, spentBy } from './spent-by.ts';
import type { EarlierRun, LineUse } from './run-view.ts';
import { type KnownRun, summarizeRun } from './summarize-run.ts';

/** What a run's line did before it, and used with it. @param spent what this run itself used; null: not known */
export async function lineOf(
  known: KnownRun & { disk: DiskRun | null },
  spent: Spent | null,
): Promise<{ earlier: readonly EarlierRun[]; lineUse: LineUse | null }> {
  const { disk, temporal } = known;
  if (disk === null || disk.request === null) return { earlier: [], lineUse: null };
  const earlier: EarlierRun[] = [];
  const uses = [useOf(disk, temporal?.status === 'open' ? (spent ?? nothingSpent) : spentBy(disk))];
  for await (const { runId, paths } of predecessors(disk.paths, disk.request)) {
    const before = await diskRun(paths.ralphHome, runId);
    if (before === null) continue;
    earlier.unshift({
      runId,
      status: summarizeRun({ runId, disk: before, temporal: null }).status,
      rounds: await rowsOnDisk(before, before.attempts),
      rolledBack: await rowsOnDisk(before, before.rolledBack),
    });
    uses.push(useOf(before, spentBy(before)));
  }
  return { earlier, lineUse: uses.reduce((total, use) => sum(total, use)) };
}

function useOf(run: DiskRun, { timeMs, tokens, costUsd, waitMs, estimated }: Spent): LineUse {
  return { rounds: roundsUsed(run), timeMs, tokens, costUsd, waitMs, estimated };
}

function sum(a: LineUse, b: LineUse): LineUse {
  return {
    rounds: a.rounds + b.rounds,
    timeMs: a.timeMs + b.timeMs,
    tokens: a.tokens + b.tokens,
    costUsd: a.costUsd + b.costUsd,
    waitMs: a.waitMs + b.waitMs,
    estimated: a.estimated || b.estimated,
  };
}

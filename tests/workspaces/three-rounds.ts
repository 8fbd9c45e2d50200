import type { LedgerLine } from '../../schemas/run/ledger.ts';
import { appendLedgerLine, readAttempts } from '../../workspaces/records/ledger.ts';
import { startRun, userGit, userRepository, type TestRun, publish } from './user-repository.ts';

/** Where the run's first rollback keeps what it gives up. */
export const KEPT = 'refs/ralph-abandoned/mend/1';

const line = (round: number, commit: string): LedgerLine => ({
  round,
  attempt: 1,
  status: 'valid',
  outcome: 'continue',
  summary: `round ${round}`,
  commit,
  changes: null,
  secrets: [],
  usage: null,
  costUsd: null,
  costEstimated: false,
  agent: null,
  agentMs: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
  path: `rounds/${round}/attempt-1`,
});

/** A run of three rounds, the last of which made a commit of its own as well. */
export async function threeRounds(): Promise<{ run: TestRun; folder: string; commits: string[] }> {
  const folder = userRepository({ 'a.txt': 'a\n' });
  const run = await startRun(folder);
  const commits = [run.request.repository.commit];
  for (const script of ['echo 1 > 1', 'echo 2 > 2', 'echo own > own; git add own; git commit -qm own; echo 3 > 3']) {
    const { commit } = await run.round(script);
    await publish({ ...run, commit });
    await appendLedgerLine(run.paths, line(commits.length, commit));
    commits.push(commit);
  }
  return { run, folder, commits };
}

/** Of the line, in the user's repository. */
export const refs = (folder: string): string[] =>
  userGit(
    folder,
    'for-each-ref',
    '--format=%(refname) %(objectname)',
    'refs/heads/ralph',
    'refs/ralph-abandoned',
    'refs/ralph-runs',
  ).split('\n');

/** What counts by the ledger. */
export const standing = async ({ paths }: TestRun): Promise<string[]> =>
  (await readAttempts(paths)).map(({ round, status }) => `${round} ${status}`);

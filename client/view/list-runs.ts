import { agentTitle, objectiveTitle } from '../../schemas/run/run.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import type { TemporalLink } from '../connect/connect.ts';
import type { Deployment } from '../connect/deployment.ts';
import { answered, type Question, type RecordedRun } from './question.ts';
import { diskFiles, runFolders, statOf } from './run-files.ts';
import { briefly, phaseOf, type TemporalAnswer } from './run-phase.ts';
import { recordOf, runRecords } from './run-records.ts';
import { type Phase, rollbackInForce, rollbackViewOf, type RunSummary } from './run-view.ts';
import { ceilingsOf } from './show-run.ts';
import type { TemporalRun } from './temporal-run.ts';
import { workOf } from './work.ts';

/** Questions to Temporal that are asked at once. */
const AT_ONCE = 16;

export interface RunList {
  /** The latest first. */
  readonly runs: readonly RunSummary[];
  /** How many there are in all. */
  readonly total: number;
  /** What a reader must know. */
  readonly notes: readonly string[];
}

/**
 * The latest runs, the latest first. Of a run whose ending is recorded only that is read; Temporal is asked about the
 * others that are listed, and, where it is the user's own, which runs there are on other machines.
 * @param limit null: all
 */
export const listRuns = (deployment: Deployment, limit: number | null): Promise<RunList> =>
  answered(deployment, async (question) => {
    const here = runsHere(deployment.ralphHome);
    const elsewhere = await runsElsewhere(question, new Set(here.map(({ runId }) => runId)));
    const all = [...here, ...elsewhere.runs].toSorted(
      (a, b) => b.startedAtMs - a.startedAtMs || a.runId.localeCompare(b.runId),
    );
    const listed = limit === null ? all : all.slice(0, limit);
    const runs: RunSummary[] = [];
    const unreachable: string[] = [];
    for (let start = 0; start < listed.length; start += AT_ONCE) {
      const some = listed.slice(start, start + AT_ONCE).map(async ({ runId, temporal }) => {
        const answer = temporal === null ? await question.temporal(runId) : ({ kind: 'known', run: temporal } as const);
        if (answer.kind === 'unreachable') unreachable.push(answer.error.message);
        return summary(deployment, runId, answer);
      });
      runs.push(...(await Promise.all(some)).filter((run) => run !== null));
    }
    const [why] = unreachable;
    return {
      runs,
      total: all.length - (listed.length - runs.length),
      notes: [
        ...(why === undefined ? [] : [`${why} Whether runs without an ending are live is unknown.`]),
        ...elsewhere.notes,
      ],
    };
  });

interface Known {
  readonly runId: string;
  readonly startedAtMs: number;
  /** Null: it has files here. */
  readonly temporal: TemporalRun | null;
}

/** The runs that have a folder here, by when their request was written: once, when they started. */
function runsHere(ralphHome: string): Known[] {
  const runs: Known[] = [];
  for (const runId of runFolders(ralphHome)) {
    const { root, request } = runPaths(ralphHome, runId);
    const found = statOf(request) ?? statOf(root);
    if (found !== null) runs.push({ runId, startedAtMs: found.changedAtMs, temporal: null });
  }
  return runs;
}

/** An embedded server knows no other runs than those that have a folder here. */
async function runsElsewhere(
  question: Question,
  here: ReadonlySet<string>,
): Promise<{ runs: Known[]; notes: string[] }> {
  if (question.deployment.settings.server.source === 'embedded') return { runs: [], notes: [] };
  const found = (await question.ask((link) => runsIn(link, { open: false }))) ?? [];
  const latest = new Map<string, TemporalRun>();
  for (const run of found) {
    const before = latest.get(run.runId);
    if (!here.has(run.runId) && (before === undefined || !isLater(before, run))) latest.set(run.runId, run);
  }
  const others = [...latest.values()];
  const foreign = others.filter(({ memo }) => memo === null).length;
  return {
    runs: others
      .filter(({ memo }) => memo !== null)
      .map((temporal) => ({ runId: temporal.runId, startedAtMs: Date.parse(temporal.startedAt), temporal })),
    notes:
      foreign === 0 ? [] : [`Temporal has ${foreign} more workflows of this type that this RALPH_HOME did not start.`],
  };
}

/** Of two executions of a run, the one that is live, or began later. */
function isLater(a: TemporalRun, b: TemporalRun): boolean {
  const aIsOpen = a.status === 'open';
  return aIsOpen === (b.status === 'open') ? a.startedAt >= b.startedAt : aIsOpen;
}

/** Null: a start that failed left an empty folder. */
async function summary(deployment: Deployment, runId: string, temporal: TemporalAnswer): Promise<RunSummary | null> {
  const files = diskFiles(deployment.ralphHome, runId);
  const records = runRecords(files);
  const request = recordOf(await records.request());
  const ending = recordOf(await records.ending());
  const run = temporal.kind === 'known' ? temporal.run : null;
  if (
    request === null &&
    run === null &&
    temporal.kind === 'forgotten' &&
    (await files.list(files.paths.root)).length === 0
  )
    return null;
  const phase = phaseOf({ ending, temporal, last: null });
  const rollbacks = recordOf(await records.rollbacks()) ?? [];
  const last = await records.lastAttempt();
  const rolledBack = rollbacks.length === 0 ? [] : (recordOf(await records.ledger())?.rolledBack ?? []);
  const rollback = rollbackViewOf(rollbacks, []);
  /** Where the last attempt has no commit, the ledger tells the last that has. */
  const lastLines = async () =>
    last === null ? [] : last.commit === null ? (recordOf(await records.ledger())?.attempts ?? []) : [last];
  const recorded: RecordedRun | null =
    request === null && ending === null
      ? null
      : {
          runId,
          files,
          records,
          request,
          ending,
          attempts: await lastLines(),
          rolledBack,
          rollbacks,
          notes: [],
        };
  const ceilings = ceilingsOf(phase, recorded, run);
  return {
    runId,
    phase: briefly(phase),
    about: aboutOf(request, run),
    progress:
      ceilings === null
        ? null
        : {
            round: rollbackInForce(rollback)?.to ?? roundOf(phase, last === null ? 0 : last.round),
            maxRounds: ceilings.maxRounds,
            rolledBack: new Set(rolledBack.map(({ round }) => round)).size,
          },
    continues: request?.previous?.runId ?? null,
    startedAt: request?.requestedAt ?? run?.startedAt ?? null,
    work: await workOf({ phase, recorded, temporal: run, rollback }),
  };
}

function aboutOf(request: RecordedRun['request'], run: TemporalRun | null): RunSummary['about'] {
  if (request !== null) {
    const { objective, repository, agent } = request;
    return { title: objectiveTitle(objective), repository: repository.path, agent: agentTitle(agent) };
  }
  if (run === null || run.memo === null) return null;
  const { title, repository, agent } = run.memo;
  return { title, repository, agent };
}

/** The round under way, or the last one. */
export const roundOf = (phase: Phase, last: number): number =>
  phase.kind === 'live' && 'round' in phase.doing ? Math.max(phase.doing.round, last) : last;

/** Ids of the runs that have not ended, as Temporal says. */
export async function openRuns(link: TemporalLink): Promise<string[]> {
  const runs = await runsIn(link, { open: true });
  // Whoever starts a run of ours gives it a signed memo.
  return runs.flatMap(({ runId, memo }) => (memo === null ? [] : runId)).toSorted();
}

async function runsIn(link: TemporalLink, query: { open: boolean }): Promise<TemporalRun[]> {
  const { temporalRuns } = await import('./temporal-run.ts');
  const runs: TemporalRun[] = [];
  for await (const run of temporalRuns(link, query)) runs.push(run);
  return runs;
}

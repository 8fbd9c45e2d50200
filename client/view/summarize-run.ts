import { whyItEnded } from '../../schemas/run/why-it-ended.ts';
import { agentTitle, objectiveTitle } from '../../schemas/run/titles.ts';
import type { DiskSummary } from './disk-run.ts';
import { runStatus } from './run-status.ts';
import type { RunSummary } from './run-view.ts';
import type { TemporalRun } from './temporal-run.ts';

/** What is known of a run from Temporal and from the disk, each null where it knows nothing. */
export interface KnownRun {
  readonly runId: string;
  readonly disk: DiskSummary | null;
  readonly temporal: TemporalRun | null;
}

/** A run in one line of a list. What a run is doing comes from Temporal; what is fixed, from where it is found. */
export function summarizeRun({ runId, disk, temporal }: KnownRun): RunSummary {
  const memo = temporal === null ? null : temporal.memo;
  const request = disk === null ? null : disk.request;
  const ended = disk === null ? null : disk.ending;
  const last = disk === null ? null : disk.last;
  const result = ended !== null && 'commit' in ended.ending ? ended.ending : null;
  const rounds = [memo?.round, last?.round].filter((round) => round !== undefined);
  const rollback = disk === null ? null : disk.rollback;
  const isOpen = temporal !== null && temporal.status === 'open';
  return {
    runId,
    status: runStatus({
      temporal: temporal === null ? null : temporal.status,
      memo,
      ending: ended === null ? null : ended.ending,
    }),
    title: memo?.title ?? (request === null ? null : objectiveTitle(request.objective)),
    repository: memo?.repository ?? request?.repository.path ?? null,
    agent: memo?.agent ?? (request === null ? null : agentTitle(request.agent)),
    round: rollback?.to ?? (rounds.length === 0 ? (request === null ? null : 0) : Math.max(...rounds)),
    maxRounds: memo?.maxRounds ?? ended?.ceilings?.maxRounds ?? request?.limits.maxRounds ?? null,
    voidRounds: disk === null ? 0 : disk.voidRounds,
    predecessor: request?.predecessor?.runId ?? null,
    startedAt: request?.requestedAt ?? temporal?.startedAt ?? null,
    endedAt: isOpen ? null : (ended?.endedAt ?? temporal?.endedAt ?? null),
    ref: rollback === null ? (memo?.ref ?? result?.ref ?? null) : rollback.ref,
    commit: rollback?.commit ?? memo?.commit ?? result?.commit ?? last?.commit ?? null,
    why: memo?.why ?? (ended === null || memo !== null ? null : whyItEnded(ended.ending)),
    until: isOpen ? (memo?.until ?? null) : null,
    steering: isOpen ? (memo?.steering ?? null) : null,
  };
}

import { plainRequest } from '../../support/plain-request.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LedgerLine } from '../../../schemas/run/ledger.ts';
import type { AttemptOutcome } from '../../../schemas/round/round.ts';
import { Limits, type RunRequest } from '../../../schemas/run/run.ts';
import { attemptPaths, runPaths } from '../../../workspaces/records/run-paths.ts';
import { plainReceipt } from '../../support/records.ts';

const START = Date.UTC(2026, 0, 5, 9);
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();
const commit = (round: number): string => round.toString(16).padStart(40, 'a');

export const receipt = plainReceipt({
  signals: [{ signal: 'SIGTERM', pid: 41, command: 'agent' }],
  killed: [{ pid: 42, command: 'sleep 999' }],
  ms: 12,
  at: at(1),
  commit: commit(1),
});

function outcomeOf(round: number, summary: string): AttemptOutcome {
  return {
    kind: 'reported',
    round,
    attempt: 1,
    startedAt: at(round),
    endedAt: at(round + 1),
    agentMs: 55_000,
    usage: round % 2 === 0 ? null : { inputTokens: 1_000, outputTokens: 200, cacheWriteTokens: 0, cacheReadTokens: 5 },
    costUsd: null,
    costEstimated: false,
    agent: null,
    agentVersion: null,
    sandbox: { level: 'workspace-write', network: true, readable: [], mechanism: 'bubblewrap' },
    checkpoint: {
      commit: commit(round),
      base: commit(round - 1),
      changes: { files: 2, insertions: 10, deletions: 3 },
      ref: 'refs/heads/ralph/x',
      notes: ['a nested repository "lib" was kept in the tree only'],
      secrets: [],
    },
    receipt,
    report: { status: 'continue', summary, evidence: ['tests pass'], nextSteps: ['go on'], blocker: '' },
    finalText: null,
  };
}

function lineOf(outcome: AttemptOutcome, summary: string): LedgerLine {
  const { round, attempt, usage, costUsd, costEstimated, startedAt, endedAt, checkpoint } = outcome;
  return {
    round,
    attempt,
    status: 'valid',
    outcome: 'continue',
    summary,
    commit: checkpoint === null ? null : checkpoint.commit,
    changes: checkpoint === null ? null : checkpoint.changes,
    secrets: [],
    usage,
    costUsd,
    costEstimated,
    agent: null,
    agentMs: outcome.agentMs,
    startedAt,
    endedAt,
    path: `rounds/${round}/attempt-${attempt}`,
  };
}

/** A run that ended out of rounds, as its files tell it once Temporal has forgotten it. */
export async function recordRun(how: {
  home: string;
  runId: string;
  rounds: number;
  objective: string;
  summary: string;
  transcript: string;
  ended: boolean;
}): Promise<void> {
  const { home, runId, rounds, objective, summary, transcript, ended } = how;
  const paths = runPaths(home, runId);
  const request: RunRequest = {
    runId,
    objective,
    objectiveHash: 'f'.repeat(64),
    repository: { path: '/srv/widgets', ref: 'HEAD', commit: commit(0) },
    agent: { provider: 'command', command: 'agent', model: null },
    sandbox: { level: 'workspace-write', network: true, readable: [] },
    setup: null,
    repositoryHooks: false,
    ...plainRequest,
    limits: Limits.parse({}),
    identity: { name: 'Test', email: 'test@example.org' },
    hostId: 'a'.repeat(16),
    requestedAt: at(0),
  };
  await mkdir(paths.root, { recursive: true });
  await writeFile(paths.request, JSON.stringify(request));
  const lines: LedgerLine[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const files = attemptPaths(paths, round, 1);
    const outcome = outcomeOf(round, summary);
    await mkdir(files.root, { recursive: true });
    await writeFile(files.outcome, JSON.stringify(outcome));
    await writeFile(files.transcript, transcript);
    lines.push(lineOf(outcome, summary));
  }
  await writeFile(paths.index, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  if (!ended) return;
  const handoff = { status: 'continue', summary, evidence: [], nextSteps: ['go on'], blocker: '' };
  const ending = {
    status: 'budget-limited',
    rounds,
    commit: commit(rounds),
    ref: 'refs/heads/ralph/x',
    budget: 'rounds',
    handoff,
  };
  await writeFile(paths.ending, JSON.stringify({ ending, receipt, endedAt: at(rounds + 1) }));
}

/** The files' folder of a run. */
export const runFolder = (home: string, runId: string): string => path.join(home, 'runs', runId);

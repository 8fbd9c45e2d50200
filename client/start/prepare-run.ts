import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { thisSandboxHost } from '../../agents/containment/bubblewrap/sandbox-host.ts';
import { reviewerSandbox } from '../../agents/containment/choose/choose-containment.ts';
import { checkBudgets } from '../../agents/usage/check-budgets.ts';
import { readPrices } from '../../agents/usage/read-prices.ts';
import { checkAgent } from '../../agents/registry.ts';
import { hostId } from '../../host/keys/host-id.ts';
import { agentsOf } from '../../schemas/run/agents-of.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { RunId, RunRequest } from '../../schemas/run/run.ts';
import { inspectRepository } from '../../workspaces/repository/inspect-repository.ts';
import { unmatchedGlobs } from '../../workspaces/verification/unmatched-globs.ts';
import type { Deployment } from '../connect/deployment.ts';
import { diskRun } from '../view/disk-run.ts';
import { hiddenNotes } from './hidden-notes.ts';
import { mergeOptions } from './merge-options.ts';
import { readDefaults } from './read-defaults.ts';
import { repositorySettingsNotes } from './repository-settings-notes.ts';
import { refuseUnheld } from './refuse-unheld.ts';
import { generateRunId } from './run-id.ts';
import type { RunOptions } from './run-options.ts';
import { toldNotes } from './told-note.ts';

/** Who checkpoints are committed as where git knows no user. */
export const FALLBACK_IDENTITY = { name: 'ralph', email: 'ralph@localhost' };

/** A request that was found good, and what the user should know before it starts. */
export interface PreparedRun {
  readonly request: RunRequest;
  readonly warnings: readonly string[];
}

/**
 * Make the request of a run and refuse what can be refused: repository, agent, sandbox, limits, id. Nothing is started
 * and nothing is written. Throws RalphError.
 */
export async function prepareRun(deployment: Deployment, options: RunOptions): Promise<PreparedRun> {
  const { ralphHome } = deployment;
  const runId = options.runId === null ? null : await freeRunId(ralphHome, options.runId);
  const first = await inspectRepository({ path: options.repository, ref: options.base ?? 'HEAD' });
  const { base, ...merged } = mergeOptions(options, await readDefaults(first.path), deployment.settings);
  const repository = base === first.ref ? first : await inspectRepository({ path: first.path, ref: base });
  const prices = await readPrices(ralphHome);
  for (const spec of agentsOf(merged)) {
    checkAgent(spec);
    checkBudgets(spec, merged.budgets, prices);
  }
  refuseMissing(merged.sandbox.readable);
  await refuseUnheld(deployment, merged.sandbox);
  const judging = merged.reviewer === null ? merged.sandbox : await reviewerSandbox(merged.sandbox);
  const request: RunRequest = {
    runId: runId ?? generateRunId(repository.path),
    objective: options.objective,
    objectiveHash: createHash('sha256').update(options.objective).digest('hex'),
    repository: { path: repository.path, ref: repository.ref, commit: repository.commit },
    ...merged,
    predecessor: null,
    identity: repository.identity ?? FALLBACK_IDENTITY,
    hostId: await hostId(ralphHome),
    requestedAt: new Date().toISOString(),
  };
  return {
    request: RunRequest.parse(request),
    warnings: [
      ...repository.warnings,
      ...hiddenNotes(request, { host: thisSandboxHost(), ralphHome, reviewerSandbox: judging }),
      ...(await idleGlobNotes(request)),
      ...(await repositorySettingsNotes(request)),
      ...toldNotes(request),
    ],
  };
}

/** Paths that are to come can be protected; a misspelt glob protects nothing. */
async function idleGlobNotes({ repository: { path, commit }, gatePolicy }: RunRequest): Promise<string[]> {
  const globs = await unmatchedGlobs({ path, commit, globs: gatePolicy.protect });
  return globs.map((glob) => `The protected paths "${glob}" match no file that the run begins from.`);
}

/** Throws RalphError where a path that the sandbox is to open is not there. */
export function refuseMissing(readable: readonly string[]): void {
  const missing = readable.find((place) => !existsSync(place));
  if (missing !== undefined) throw ralphError('readable-missing', { path: missing });
}

async function freeRunId(ralphHome: string, wanted: string): Promise<string> {
  const runId = RunId.safeParse(wanted);
  if (!runId.success) throw ralphError('run-id-invalid', { runId: wanted });
  if ((await diskRun(ralphHome, wanted)) !== null) throw ralphError('run-id-in-use', { runId: wanted });
  return runId.data;
}

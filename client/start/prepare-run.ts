import { createHash, randomInt } from 'node:crypto';
import { basename } from 'node:path';
import { thisSandboxHost } from '../../agents/containment/bubblewrap/sandbox-host.ts';
import { reviewerSandbox } from '../../agents/containment/choose/choose-containment.ts';
import { hostId } from '../../host/keys/host-id.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { RunId, RunRequest } from '../../schemas/run/run.ts';
import { inspectRepository } from '../../workspaces/repository/inspect-repository.ts';
import { unmatchedGlobs } from '../../workspaces/verification/unmatched-globs.ts';
import type { Deployment } from '../connect/deployment.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { statOf } from '../view/run-files.ts';
import { checkLaunch } from './launch-checks.ts';
import { hiddenNotes, usageNotes } from './launch-notes.ts';
import { mergeOptions } from './merge-options.ts';
import { readDefaults } from './read-defaults.ts';
import { repositorySettingsNotes } from './repository-settings-notes.ts';
import type { RunOptions } from './run-options.ts';
import { gateFileNotes } from './unprotected-gate-files.ts';

/** The committer of checkpoints if git knows no user. */
export const FALLBACK_IDENTITY = { name: 'ralph', email: 'ralph@localhost' };

/** A valid request, and what the user should know before the run starts. */
export interface PreparedRun {
  readonly request: RunRequest;
  readonly warnings: readonly string[];
}

/**
 * Make the request of a run and reject what can be rejected before it starts: repository, agent, sandbox, limits, id.
 * Starts no run. It may start a container to see whether the sandbox can be enforced. Throws RalphError.
 */
export async function prepareRun(deployment: Deployment, options: RunOptions): Promise<PreparedRun> {
  const { ralphHome } = deployment;
  const runId = options.runId === null ? null : await freeRunId(ralphHome, options.runId);
  const first = await inspectRepository({ path: options.repository, ref: options.base ?? 'HEAD' });
  const { base, ...merged } = mergeOptions(options, await readDefaults(first.path), deployment.settings);
  const repository = base === first.ref ? first : await inspectRepository({ path: first.path, ref: base });
  await checkLaunch(deployment, merged, merged.budgets);
  const judging = merged.reviewer === null ? merged.sandbox : await reviewerSandbox(merged.sandbox);
  const request: RunRequest = {
    runId: runId ?? generateRunId(repository.path),
    objective: options.objective,
    objectiveHash: createHash('sha256').update(options.objective).digest('hex'),
    repository: { path: repository.path, ref: repository.ref, commit: repository.commit },
    ...merged,
    previous: null,
    ignore: repository.ignore,
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
      ...(await gateFileNotes(request)),
      ...(await repositorySettingsNotes(request)),
      ...usageNotes(request),
    ],
  };
}

/** A path can be protected before it exists; a misspelt glob protects nothing. */
async function idleGlobNotes({ repository: { path, commit }, gatePolicy }: RunRequest): Promise<string[]> {
  const globs = await unmatchedGlobs({ path, commit, globs: gatePolicy.protect });
  return globs.map((glob) => `The protected paths "${glob}" match no file that the run begins from.`);
}

async function freeRunId(ralphHome: string, wanted: string): Promise<string> {
  const runId = RunId.safeParse(wanted);
  if (!runId.success) throw ralphError('run-id-invalid', { runId: wanted });
  if (statOf(runPaths(ralphHome, wanted).root) !== null) throw ralphError('run-id-in-use', { runId: wanted });
  return runId.data;
}

/** No vowels and nothing that is easily misread: what comes out is no word, and can be told on the phone. */
const ALPHABET = 'bcdfghjkmnpqrstvwxz23456789';
const SUFFIX_CHARS = 5;
const MAX_STEM_CHARS = 30;

/**
 * A fresh run id such as "widgets-k3f9x": the repository's folder, so that a list reads well, and 14 million
 * possibilities. Nothing of the objective is in it, as run ids stand in logs and branch names.
 */
export function generateRunId(repositoryPath: string): string {
  const stem = basename(repositoryPath)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_STEM_CHARS)
    .replaceAll(/^-+|-+$/g, '');
  const suffix = Array.from({ length: SUFFIX_CHARS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return `${stem === '' ? 'run' : stem}-${suffix}`;
}

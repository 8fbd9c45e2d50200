import { baseEnvironment } from '../../agents/containment/bubblewrap/base-environment.ts';
import { chooseContainment } from '../../agents/containment/choose/choose-containment.ts';
import type { OutputContract } from '../../agents/output/output-contract.ts';
import type { InboxFile } from '../../agents/provider.ts';
import { checkAgent, providerOf } from '../../agents/registry.ts';
import { runAgent, type AgentRun } from '../../agents/run/run-agent.ts';
import { readPrices } from '../../agents/usage/read-prices.ts';
import { holdsMark } from '../../redaction/found.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import type { Allowance } from '../../schemas/budget/budget.ts';
import type { Usage } from '../../schemas/round/usage.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { Sandbox } from '../../schemas/run/sandbox.ts';
import { MAX_DEPTH, nestingOf } from '../../system/untrusted-json.ts';
import { readUntrustedFile } from '../../workspaces/files/read-untrusted-file.ts';
import type { RunPaths, StepPaths } from '../../workspaces/records/run-paths.ts';
import { disposalCause } from './interruption.ts';
import type { Machine } from './machine.ts';
import { mountsOf, type Place } from './mounts.ts';
import type { Turn } from './one-at-a-time.ts';

/**
 * Run an agent (of a round, or a reviewer) to its end with the prompt that is written, in the folder that was opened for
 * it, and read what it said, redacted. Whatever it left is disposed of; see the receipt.
 * @throws RalphError if it cannot be started; the signal's reason if it was ended before its start
 */
export async function runAgentStep({
  machine,
  run,
  place,
  paths,
  request,
  round,
  maxRounds,
  spec,
  output,
  sandbox,
  allowance,
  turn,
  onProgress,
}: {
  machine: Machine;
  run: RunPaths;
  place: Place;
  paths: StepPaths;
  request: Pick<RunRequest, 'runId' | 'limits' | 'repositoryHooks'>;
  round: number;
  maxRounds: number;
  spec: AgentSpec;
  output: OutputContract;
  sandbox: Sandbox;
  allowance: Allowance;
  turn: Turn;
  onProgress: (progress: { activity: string | null; usage: Usage | null }) => void;
}): Promise<AgentRun> {
  const { redactor, workerEnv } = machine;
  checkAgent(spec);
  const mounts = mountsOf({ machine, run, place, paths, sandbox });
  const ran = await runAgent({
    provider: providerOf(spec),
    containment: await chooseContainment({ sandbox }),
    context: {
      spec,
      runId: request.runId,
      round,
      maxRounds,
      output,
      tree: place.tree,
      home: paths.home,
      inbox: paths.inbox,
      workerEnv,
      repositoryHooks: output.name === 'report' && request.repositoryHooks,
      readInboxFile: (file, maxBytes) => readInboxFile({ file, root: paths.inbox, maxBytes }),
    },
    sandbox,
    mounts,
    baseEnv: baseEnvironment({ mounts, workerEnv }),
    files: { prompt: paths.prompt, transcript: paths.transcript, stderr: paths.stderr, fence: paths.fence },
    limits: request.limits,
    allowance,
    prices: await readPrices(machine.ralphHome),
    signal: turn.signal,
    cancelCause: () => disposalCause(turn.interruption()),
    redactor,
    onProgress,
  });
  return redactedRun(ran, redactor, output.name);
}

/** A file that an agent wrote below `root`, as text; anything but a small regular file of UTF-8 is rejected. */
async function readInboxFile(asked: { file: string; root: string; maxBytes: number }): Promise<InboxFile> {
  const found = readUntrustedFile(asked);
  if (found.kind !== 'read') return found;
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(found.bytes) };
  } catch {
    // TextDecoder throws for malformed bytes and nothing else.
    return { kind: 'rejected', why: 'is not UTF-8 text' };
  }
}

/** What an agent's run came to, with secrets taken out of all that it said, before anything is made of it. */
function redactedRun(ran: AgentRun, redactor: Redactor, name: string): AgentRun {
  const { report, finalText } = ran.reading;
  const common = { ...ran.reading, finalText: finalText === null ? null : redactor.text(finalText) };
  if (report.kind === 'fault') {
    const fault = { ...report.fault, message: redactor.text(report.fault.message) };
    return { ...ran, reading: { ...common, report: { kind: 'fault', fault } } };
  }
  // All that comes after this walks through the value recursively.
  const depth = nestingOf(report.value);
  if (depth > MAX_DEPTH) {
    const message = `the ${name} is nested ${depth} levels deep; at most ${MAX_DEPTH} are allowed`;
    const fault = { code: 'report-invalid', message, resetAt: null } as const;
    return { ...ran, reading: { ...common, report: { kind: 'fault', fault } } };
  }
  // What an agent prints was redacted as it came; a report from a file is now.
  const value = redactor.json(report.value);
  const said = holdsMark(JSON.stringify(value)) ? ['The report held a secret, which was redacted.'] : [];
  return { ...ran, reading: { ...common, report: { kind: 'candidate', value } }, notes: [...ran.notes, ...said] };
}

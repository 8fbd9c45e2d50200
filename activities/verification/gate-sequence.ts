import { RalphError } from '../../schemas/errors/index.ts';
import type { Fault } from '../../schemas/round/fault.ts';
import {
  isExcused,
  MAX_GATE_OUTPUT_CHARS,
  MAX_PROTECTED_PATHS,
  passes,
  type GateResult,
} from '../../schemas/verification/gate.ts';
import type { GateInput } from '../step/inputs.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { EndedStep } from '../../schemas/round/step.ts';
import { openStep } from '../../workspaces/records/steps.ts';
import { removeTree } from '../../workspaces/files/remove-tree.ts';
import type { StepPaths, CheckPaths, RunPaths } from '../../workspaces/records/run-paths.ts';
import { faultOfError, unproved } from '../step/faults.ts';
import { gateOutput, keepEnd } from './gate-output.ts';
import type { Machine } from '../step/machine.ts';
import type { Place } from '../step/mounts.ts';
import type { Turn } from '../step/one-at-a-time.ts';
import { runCommand } from '../step/run-command.ts';
import { setupFailed } from '../step/setup-failed.ts';

/** Where gates run, and what asks, between two of them, which paths the last one changed and may not. */
export interface GatePlace {
  readonly place: Place;
  readonly changed: () => Promise<string[]>;
}

/** A run of a run's gates. */
export interface GateSequence {
  readonly machine: Machine;
  readonly run: RunPaths;
  readonly paths: CheckPaths;
  readonly input: GateInput;
  readonly there: GatePlace;
  readonly turn: Turn;
  /** Told of each command before it starts. */
  readonly show: (command: string) => void;
}

/** What the gates came to. */
export type Came =
  { readonly kind: 'ran'; readonly gates: GateResult[] } | { readonly kind: 'failed'; readonly fault: Fault };

interface Command {
  readonly isSetup: boolean;
  /** Its place among the run's gates; null: the setup. */
  readonly gate: number | null;
  readonly command: string;
  readonly timeoutMs: number;
  readonly paths: StepPaths;
}

/**
 * Run the gates in order, after the setup on a clean checkout, up to the first whose failure is not excused; before
 * round 1, run all of them. A setup that fails before round 1 ends the run, and a later one is listed as a failed gate. A
 * setup that passes is not listed.
 */
export async function gateSequence(asked: GateSequence): Promise<Came> {
  const { input, turn, show } = asked;
  const steps = stepsOf(input.request, asked.paths);
  // All folders are there before anything starts: whoever recovers this check closes every fence of it.
  for (const { paths } of steps) openStep(paths);
  const gates: GateResult[] = [];
  let begun = 0;
  try {
    for (const step of steps) {
      turn.signal.throwIfAborted();
      show(step.command);
      begun += 1;
      const ended = await runGateCommand(asked, step);
      if (ended.kind === 'failed') return ended;
      if (ended.receipt.proof === 'unproved') return { kind: 'failed', fault: unproved(ended.receipt) };
      const result = await resultOf(asked, step, ended);
      if (passes(result) && step.isSetup) continue;
      if (step.isSetup && input.isBaseline)
        return { kind: 'failed', fault: await explainBaselineSetup(step, ended, result) };
      gates.push(result);
      if (!mayGoOn(result, input)) break;
    }
    return { kind: 'ran', gates };
  } finally {
    for (const { paths } of steps.slice(begun)) await removeTree(paths.root).catch(() => undefined);
  }
}

function stepsOf({ setup, limits, gates, gatePolicy }: RunRequest, paths: CheckPaths): Command[] {
  const before =
    setup === null || gatePolicy.inPlace
      ? []
      : [{ isSetup: true, gate: null, command: setup, timeoutMs: limits.roundTimeoutMs, paths: paths.step(0) }];
  return [...before, ...gates.map((gate, i) => ({ ...gate, isSetup: false, gate: i, paths: paths.step(i + 1) }))];
}

function mayGoOn(result: GateResult, { isBaseline, request, baseline }: GateInput): boolean {
  return passes(result) || isBaseline || isExcused(result, request.gatePolicy, baseline);
}

async function runGateCommand(
  { machine, run, input, there, turn }: GateSequence,
  { command, timeoutMs, paths }: Command,
): Promise<EndedStep | { kind: 'failed'; fault: Fault }> {
  const { request } = input;
  try {
    return await runCommand({ machine, run, request, place: there.place, paths, command, timeoutMs, turn });
  } catch (error) {
    // Another worker has written this check off: what it came to is no longer asked for.
    const fencedOff = error instanceof RalphError && error.code === 'attempt-fenced-off';
    if (turn.signal.aborted || fencedOff) throw error;
    return { kind: 'failed', fault: faultOfError(error, 'workspace-broken') };
  }
}

async function resultOf(
  { machine, run, input, there }: GateSequence,
  { isSetup, gate, paths }: Command,
  ended: EndedStep,
): Promise<GateResult> {
  const { command, exitCode, timedOut, ms, receipt } = ended;
  const { output, outputHash } = await gateOutput({ run, paths, redactor: machine.redactor });
  // Redacted as the baseline's is, which it is compared with.
  const common = { gate, command: machine.redactor.text(command), exitCode, timedOut, outputHash, ms, output, receipt };
  const changed = (await there.changed()).slice(0, MAX_PROTECTED_PATHS);
  if (changed.length === 0) return { ...common, isSetup, changed };
  const what = input.request.gatePolicy.inPlace
    ? `left tracked files unlike the commit that is to be accepted, so that something else was tested (they were put back): ${changed.join(', ')}`
    : `changed protected files of the checkout: ${changed.join(', ')}`;
  const parts = [output, `[the engine] Whatever its exit code: it ${what}`].filter((part) => part !== '');
  return { ...common, isSetup, changed, output: keepEnd(parts.join('\n'), MAX_GATE_OUTPUT_CHARS) };
}

/** Before round 1 nothing of the run's own can be the reason: no completion claim could ever be checked. */
async function explainBaselineSetup(
  { command, paths }: Command,
  ended: EndedStep,
  { changed }: GateResult,
): Promise<Fault> {
  if (changed.length > 0) {
    const message = `setup "${command}" changes files that --protect names: ${changed.join(', ')}. Gates would not run on what is protected: choose a setup that leaves them as they are, or do not protect them.`;
    return { code: 'setup-failed', message, resetAt: null };
  }
  const where = ' on the clean checkout that gates are run on, where nothing ignored and no cache is';
  const fault = await setupFailed(paths, ended, where);
  const out = 'Make it work there, or have the gates run in the workspace: --gate-in-place.';
  return { ...fault, message: `${fault.message.replace(/\.$/, '')}. ${out}` };
}

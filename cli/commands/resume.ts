import { Command } from 'commander';
import type { Deployment } from '../../client/connect/deployment.ts';
import type { RunView } from '../../client/view/run-view.ts';
import type { Budgets } from '../../schemas/budget/budget.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { dollars, milliseconds, tokenCount, wholeNumber } from '../arguments/numbers.ts';
import type { CommandContext } from '../context.ts';
import { detachable } from '../follow/detachable.ts';
import { hasEnded } from '../exit-codes.ts';
import { json } from '../terminal/json.ts';
import { endedMeanwhile, resumeText } from '../text/steer-text.ts';
import { steerLive } from '../follow/steer.ts';
import { tellStarted } from '../follow/tell-started.ts';

const WITHIN_MS = 15_000;

interface ResumeFlags {
  readonly note?: string;
  readonly maxRounds?: number;
  readonly maxTime?: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly maxWait?: number;
  readonly detach?: boolean;
  readonly json?: boolean;
}

export function resumeCommand(context: CommandContext): Command {
  return new Command('resume')
    .description('let a paused run go on; of a run that has ended, start the next one of its line')
    .argument('<run>', 'id of the run')
    .optionsGroup('Of a run that has ended (it goes on with what is left of its budgets, unless you give new ones):')
    .option('--note <text>', 'what the next round is to know first, say the answer to what blocked it')
    .option('--max-rounds <n>', 'most rounds from here on', wholeNumber)
    .option('--max-time <duration>', 'most time worked from here on', milliseconds)
    .option('--max-tokens <n>', 'most tokens from here on', tokenCount)
    .option('--max-cost <dollars>', 'highest cost in US dollars from here on', dollars)
    .option('--max-wait <duration>', 'most time waited from here on', milliseconds)
    .option('-d, --detach', 'start it and return')
    .option('--json', 'print one JSON document on stdout, progress on stderr')
    .action(async (runId: string, flags: ResumeFlags) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const deployment = await openDeployment(context.env);
      const run = await knownRun(context, deployment, runId);
      if (hasEnded(run.status)) {
        await succeed({ context, deployment, run, flags });
        return;
      }
      const { detach: _detach, json: asJson, ...given } = flags;
      const [first] = Object.keys(given);
      if (first !== undefined) {
        const flag = `--${first.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
        throw ralphError('run-live', { runId, status: run.status, done: `resumed with ${flag}` });
      }
      await goOn({ context, deployment, runId, asJson: asJson === true });
    });
}

/** Whether a run without an ending goes on is for Temporal to say: then it is started. */
async function knownRun(context: CommandContext, deployment: Deployment, runId: string): Promise<RunView> {
  const { showRun } = await import('../../client/view/show-run.ts');
  const run = await showRun(deployment, runId);
  if (run.status !== 'unknown') return run;
  await (await services(context, deployment)).close();
  return showRun(deployment, runId);
}

async function services({ terminal }: CommandContext, deployment: Deployment) {
  const { ensureServices } = await import('../../client/connect/ensure-services.ts');
  return ensureServices(deployment, {
    worker: 'where-embedded',
    first: null,
    onNote: (text) => terminal.note(text),
  });
}

async function goOn(how: {
  context: CommandContext;
  deployment: Deployment;
  runId: string;
  asJson: boolean;
}): Promise<void> {
  const { context, deployment, runId, asJson } = how;
  const { terminal } = context;
  const { before, after } = await steerLive({ context, deployment, runId, done: 'resumed' }, () => ({
    steer: { kind: 'resume' },
    obeyed: ({ memo }) => memo !== null && memo.status !== 'paused' && !memo.steering.pause,
    withinMs: WITHIN_MS,
  }));
  const text = after.status === 'open' ? resumeText(before, after) : endedMeanwhile(runId);
  if (asJson || after.status !== 'open') terminal.note(text);
  else terminal.out(text);
  const { showRun } = await import('../../client/view/show-run.ts');
  if (asJson) terminal.out(json(await showRun(deployment, runId)));
}

async function succeed(how: {
  context: CommandContext;
  deployment: Deployment;
  run: RunView;
  flags: ResumeFlags;
}): Promise<void> {
  const { context, deployment, run, flags } = how;
  const { prepareSuccessor } = await import('../../client/resume/prepare-successor.ts');
  const { agentsOf } = await import('../../schemas/run/agents-of.ts');
  const { checkWorkerFor } = await import('../../client/connect/ensure-services.ts');
  const { toldNotes } = await import('../../client/start/told-note.ts');
  const { startSuccessor } = await import('../../client/resume/start-successor.ts');
  const options = { note: orNull(flags.note), maxRounds: orNull(flags.maxRounds), budgets: budgetsOf(flags) };
  // What stands in the way is said before anything is started.
  const prepared = await prepareSuccessor(deployment, run, options);
  for (const agent of agentsOf(prepared)) await checkWorkerFor(agent, deployment);
  for (const note of toldNotes({ ...prepared, budgets: options.budgets })) {
    context.terminal.err(`${context.terminal.paintErr.warn('note:')} ${note}`);
  }
  const link = await services(context, deployment);
  try {
    await detachable(async (detached) => {
      const request = await startSuccessor(link, deployment, { runId: run.runId, options });
      await tellStarted({ context, request, link, deployment, flags, detached });
    });
  } finally {
    await link.close();
  }
}

const orNull = <Value>(value: Value | undefined): Value | null => (value === undefined ? null : value);

function budgetsOf({ maxTime, maxTokens, maxCost, maxWait }: ResumeFlags): Budgets {
  return {
    maxTimeMs: orNull(maxTime),
    maxTokens: orNull(maxTokens),
    maxCostUsd: orNull(maxCost),
    maxWaitMs: orNull(maxWait),
  };
}

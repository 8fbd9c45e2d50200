import { Command } from 'commander';
import type { Deployment } from '../../client/connect/deployment.ts';
import { type RunView, statusOf, withStatus } from '../../client/view/run-view.ts';
import type { Budgets } from '../../schemas/budget/budget.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { dollars, milliseconds, tokenCount, wholeNumber } from '../arguments/numbers.ts';
import { ACTIONS } from '../../client/describe/action-words.ts';
import type { CommandContext } from '../context.ts';
import { detachable, followStarted, followToEnd } from '../follow/follow-run.ts';
import { json } from '../terminal/json.ts';

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
    .description(ACTIONS.resume)
    .argument('<run>', 'id of the run')
    .optionsGroup('For an ended run (default of each budget: what is left of it):')
    .option('--note <text>', 'text for the next agent, for example the answer to what blocked the run')
    .option('--max-rounds <n>', 'maximum number of further rounds', wholeNumber)
    .option('--max-time <duration>', 'maximum further working time', milliseconds)
    .option('--max-tokens <n>', 'maximum number of further tokens', tokenCount)
    .option('--max-cost <dollars>', 'maximum further cost in US dollars', dollars)
    .option('--max-wait <duration>', 'maximum further waiting time', milliseconds)
    .option('-d, --detach', 'start the follow-up and return')
    .option('--json', 'print one JSON document on stdout, progress on stderr')
    .action(async (runId: string, flags: ResumeFlags) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const deployment = await openDeployment(context.env);
      const run = await knownRun(context, deployment, runId);
      if (run.phase.kind === 'ended') {
        await followUp({ context, deployment, run, flags });
        return;
      }
      const { detach: _detach, json: asJson, ...given } = flags;
      const [first] = Object.keys(given);
      if (first !== undefined) {
        const flag = `--${first.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
        throw ralphError('run-live', { runId, status: statusOf(run.phase), done: `resumed with ${flag}` });
      }
      await resumePaused({ context, deployment, runId, asJson: asJson === true });
    });
}

/** Only Temporal knows whether a run without an ending is live, so it is started if need be. */
async function knownRun(context: CommandContext, deployment: Deployment, runId: string): Promise<RunView> {
  const { showRun } = await import('../../client/view/show-run.ts');
  const run = await showRun(deployment, runId);
  if (run.phase.kind !== 'unknown') return run;
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

async function resumePaused(how: {
  context: CommandContext;
  deployment: Deployment;
  runId: string;
  asJson: boolean;
}): Promise<void> {
  const { context, deployment, runId, asJson } = how;
  const { terminal } = context;
  const { resumePaused: resume } = await import('../../client/control/resume-paused.ts');
  const { showRun } = await import('../../client/view/show-run.ts');
  const resumed = await resume({ deployment, runId, onNote: (text) => terminal.note(text) });
  if (resumed.kind === 'resumed') {
    if (asJson) terminal.note(resumed.text);
    else terminal.out(resumed.text);
    if (asJson) terminal.out(json(withStatus(await showRun(deployment, runId))));
    return;
  }
  // What it comes to is what the user gets to see, with its exit code.
  terminal.note(resumed.text);
  const link = await services(context, deployment);
  try {
    await detachable((detached) => followToEnd({ context, link, deployment, runId, past: false, asJson, detached }));
  } finally {
    await link.close();
  }
}

async function followUp(how: {
  context: CommandContext;
  deployment: Deployment;
  run: RunView;
  flags: ResumeFlags;
}): Promise<void> {
  const { context, deployment, run, flags } = how;
  const { prepareFollowUp, startFollowUp } = await import('../../client/resume/follow-up-run.ts');
  const { agentsOf } = await import('../../schemas/run/run.ts');
  const { checkWorkerFor } = await import('../../client/connect/ensure-services.ts');
  const { usageNotes } = await import('../../client/start/launch-notes.ts');
  const options = { note: orNull(flags.note), maxRounds: orNull(flags.maxRounds), budgets: budgetsOf(flags) };
  // Everything that can be rejected is rejected before anything is started.
  const prepared = await prepareFollowUp(deployment, run, { options, link: null });
  for (const agent of agentsOf(prepared.request)) {
    const uses = await checkWorkerFor(agent, deployment);
    if (uses !== null) context.terminal.note(`The agent ${agent.provider} uses ${uses}.`);
  }
  for (const note of usageNotes({ ...prepared.request, budgets: options.budgets })) {
    context.terminal.err(`${context.terminal.paintErr.warn('note:')} ${note}`);
  }
  const link = await services(context, deployment);
  try {
    await detachable(async (detached) => {
      const request = await startFollowUp(link, deployment, { runId: run.runId, options });
      await followStarted({ context, request, link, deployment, flags, detached });
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

import type { TemporalLink } from '../../client/connect/connect.ts';
import type { Deployment } from '../../client/connect/deployment.ts';
import { type RunView, withStatus } from '../../client/view/run-view.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { CommandContext } from '../context.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { commandLines } from '../pages/command-lines.ts';
import { runBegin } from '../pages/run-begin.ts';
import { nextCommands, runEnd } from '../pages/run-end.ts';
import { json } from '../terminal/json.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { eventPrinter } from './event-printer.ts';

/**
 * Do what goes on without this command: from the start of `task`, Ctrl-C aborts its signal and nothing else; a second
 * one ends the command as ever.
 */
export async function detachable<T>(task: (detached: AbortSignal) => Promise<T>): Promise<T> {
  const detach = new AbortController();
  const onInterrupt = (): void => detach.abort();
  process.once('SIGINT', onInterrupt);
  try {
    return await task(detach.signal);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

/** Follow a run that has just been started, or with `--detach` name it. */
export async function followStarted(started: {
  readonly context: CommandContext;
  readonly request: RunRequest;
  readonly link: TemporalLink;
  readonly deployment: Deployment;
  readonly detached: AbortSignal;
  readonly flags: { readonly detach?: boolean; readonly json?: boolean };
}): Promise<void> {
  const { context, request, link, deployment, flags, detached } = started;
  const { terminal } = context;
  const { runId, repository } = request;
  const asJson = flags.json === true;
  if (flags.detach === true) {
    terminal.out(asJson ? json({ runId, repository, namespace: link.namespace }) : runId);
    if (!asJson)
      terminal.note(`The run continues by itself. Follow: ralph watch ${runId}   End: ralph cancel ${runId}`);
    return;
  }
  for (const line of runBegin(request, asJson ? terminal.paintErr : terminal.paint)) {
    if (asJson) terminal.err(line);
    else terminal.out(line);
  }
  await followToEnd({ context, link, deployment, runId, past: true, asJson, detached });
}

/** Follow a run, say how it ended and what to do next; the exit code tells the result; 0 where `detached` was aborted. */
export async function followToEnd(how: {
  context: CommandContext;
  link: TemporalLink;
  deployment: Deployment;
  runId: string;
  past: boolean;
  asJson: boolean;
  detached: AbortSignal;
}): Promise<void> {
  const { context, link, deployment, runId, past, asJson, detached } = how;
  const { terminal } = context;
  const { pageAddress } = await import('../../host/page-process/page-process.ts');
  const page = await pageAddress(deployment.ralphHome);
  if (page !== null) terminal.note(`In the browser: ${page}/#/runs/${runId}`);
  const run = await followRun({ terminal, link, deployment, runId, past, aside: asJson, ending: false, detached });
  if (run === null) {
    terminal.err(`Detached; ${runId} continues.  Follow: ralph watch ${runId}   End: ralph cancel ${runId}`);
    return;
  }
  await printEnd({ context, deployment, run, asJson });
}

/**
 * Print a run while it is live: a line for every attempt that ends and, on a terminal, a live line for the current one.
 * Returns the run when it has ended, null when `detached` was aborted.
 */
export async function followRun(how: {
  terminal: Terminal;
  link: TemporalLink;
  deployment: Deployment;
  runId: string;
  /** Print what ended before, too. */
  past: boolean;
  /** Progress goes to stderr, as stdout is for one JSON document. */
  aside: boolean;
  /** The run is being cancelled. */
  ending: boolean;
  detached: AbortSignal;
}): Promise<RunView | null> {
  const { terminal, link, deployment, runId, past, aside, ending, detached } = how;
  const { watchRun } = await import('../../client/follow/watch-run.ts');
  const printer = eventPrinter(terminal, { runId, aside, ending });
  try {
    for await (const event of watchRun({ link, deployment, runId, past, signal: detached })) {
      printer.print(event);
      if (event.kind === 'ended') return event.run;
    }
    return null;
  } finally {
    printer.end();
  }
}

/** Say how a run ended and what to do next, and exit with what tells the result. */
export async function printEnd(how: {
  context: CommandContext;
  deployment: Deployment;
  run: RunView;
  asJson: boolean;
}): Promise<void> {
  const { context, deployment, run, asJson } = how;
  const { terminal } = context;
  context.exitWith(exitCodeOf(run.phase));
  if (asJson) {
    terminal.out(json(withStatus(run)));
    return;
  }
  const { paint } = terminal;
  const { resumeAdvice } = await import('../../client/resume/resume-advice.ts');
  const advice = await resumeAdvice(deployment, run);
  const lines = [
    '',
    ...runEnd(run, { advice, paint }),
    '',
    ...commandLines(nextCommands(run, advice), { width: terminal.columns(), paint }),
  ];
  if ('page' in run.temporal && run.temporal.page !== null) {
    lines.push('', `In the Temporal UI, while the server is up: ${run.temporal.page}`);
  }
  for (const line of lines) terminal.out(line);
}

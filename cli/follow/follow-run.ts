import type { TemporalLink } from '../../client/connect/connect.ts';
import type { Deployment } from '../../client/connect/deployment.ts';
import type { RunView } from '../../client/view/run-view.ts';
import { eventPrinter } from './event-printer.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Print a run as it goes on: a line for every attempt that ends and, on a terminal, a live line for the one under way.
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

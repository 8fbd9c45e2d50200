import type { WayOn } from '../../client/resume/way-on.ts';
import type { Why } from '../pages/why.ts';

type Next = Why['next'][number];

/** Whether a command starts a run that goes on from another, or lets a paused one go on. */
export const isResume = (command: string): boolean => command.startsWith('ralph resume');

/** The command that goes on from a run which has ended, where one is not refused. `note`: a word of the user's belongs to it. */
export function resumeNext(
  runId: string,
  way: WayOn,
  { what, note = false }: { what: string; note?: boolean },
): Next[] {
  if (way.kind === 'none') return [];
  const isOther = way.runId !== runId;
  return [[way.command + (note && !isOther ? ' --note "…"' : ''), isOther ? `go on from ${way.runId} instead` : what]];
}

/** What is to be known of how a run is gone on from, or is not. */
export function wayNotes(way: WayOn): string[] {
  if (way.kind === 'none') return [...way.notes];
  return way.because === null ? [] : [`Its line stands at ${way.runId}: ${way.because}.`];
}

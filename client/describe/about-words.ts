import { agentTitle } from '../../schemas/run/agent-title.ts';
import { printableLine } from '../../system/printable.ts';
import { type RunSummary, type RunView, statusOf } from '../view/run-view.ts';
import { elapsed, refName, shortCommit, UNKNOWN } from './amounts.ts';
import { workNote } from './chain-words.ts';
import { fit } from './width.ts';

// What a run is about, in a line each, for every place that shows one.

const COMMAND_COLUMNS = 100;

/** What a reader must know, and where the commits are if they are not on the branch. */
export function notesOf(run: RunView): string[] {
  const note = workNote(run.work);
  return note === null ? [...run.notes] : [...run.notes, note];
}

/** Who makes the rounds. */
export function agentText({ request }: RunView): string {
  if (request.kind === 'unknown') return UNKNOWN;
  if (request.kind === 'brief') return printableLine(request.agent);
  const { agent } = request.request;
  if (agent.provider === 'command') return `command: ${fit(printableLine(agent.command), COMMAND_COLUMNS)}`;
  return printableLine(agentTitle(agent));
}

/** Where it works, and from what. */
export function repositoryText({ request }: RunView): string {
  if (request.kind === 'unknown') return UNKNOWN;
  if (request.kind === 'brief') return printableLine(request.repository);
  const { path, ref } = request.request.repository;
  return printableLine(`${path}, from ${ref}`);
}

/** Where its last commit is. */
export function branchText({ work, chain }: RunView): string {
  switch (work.kind) {
    case 'not-made':
      return work.branch === null ? 'not made yet' : `${work.branch}, not made yet`;
    case 'unknown':
      return UNKNOWN;
    case 'branch': {
      if (work.commit === null) return printableLine(work.branch);
      const isMoved = chain.continued.kind === 'continued';
      const at = shortCommit(work.commit);
      return isMoved
        ? `${work.branch}, moved on since; the last commit of this run is ${at}`
        : `${work.branch} at ${at}`;
    }
    case 'ref':
      return printableLine(refName(work.ref)) + (work.commit === null ? '' : ` at ${shortCommit(work.commit)}`);
    case 'engine':
      return `none (last commit ${shortCommit(work.commit)})`;
    default:
      return work satisfies never;
  }
}

/** The status of a run in a list, with what it waits for or is about to do. */
export function listedStatus({ phase, progress }: RunSummary, now: number): string {
  const status = statusOf(phase);
  if (progress !== null && progress.rolledBack > 0) return `${status}, rolled back`;
  if (phase.kind !== 'live' || status === 'paused') return status;
  const { doing, controls } = phase;
  if (doing.status === 'waiting' && doing.until !== null) return `waiting ${elapsed(Date.parse(doing.until) - now)}`;
  return controls.stop ? `${status}, stopping` : controls.pause ? `${status}, pausing` : status;
}

/** Last part of a path. */
export const folderName = (path: string): string => path.split('/').findLast((part) => part !== '') ?? path;

import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessIdentity } from './containment.ts';
import { errorCode } from '../../system/error-code.ts';

/** One line of the kernel's process table, from /proc. */
export interface ProcessEntry extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** R, S, D, T, Z, X …; a zombie (Z) has ended and only waits to be reaped. */
  readonly state: string;
  readonly name: string;
  /** Own CPU time and that of children it has waited for, in clock ticks. */
  readonly ticks: number;
}

/** Ticks of /proc/<pid>/stat in a second: USER_HZ, which Linux fixes at 100 on every architecture that Node runs on. */
export const TICKS_PER_SECOND = 100;

/** Null where no such process is left. @throws where that cannot be seen */
export function readProcess(pid: number): ProcessEntry | null {
  const text = readProc(`${pid}/stat`);
  return text === null ? null : parseStat(pid, text);
}

export function readProcesses(): ProcessEntry[] {
  const found: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const entry = readIfShown(Number(name));
    if (entry !== null) found.push(entry);
  }
  return found;
}

/** Everything below a process, children before grandchildren. Within a pid namespace, init's are all there are. */
export function descendantsOf(pid: number, table: readonly ProcessEntry[]): ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table) {
    const siblings = children.get(entry.parent);
    if (siblings === undefined) children.set(entry.parent, [entry]);
    else siblings.push(entry);
  }
  const found: ProcessEntry[] = [];
  const pending = [pid];
  for (let parent = pending.shift(); parent !== undefined; parent = pending.shift()) {
    for (const child of children.get(parent) ?? []) {
      found.push(child);
      pending.push(child.pid);
    }
  }
  return found;
}

/**
 * The processes that a process started, or inherited, and that are there now. The kernel lists them by thread; where it
 * was built without that, the whole table is read, which takes milliseconds on a busy machine.
 */
export function childrenOf(pid: number): ProcessEntry[] {
  const threads = listIfAny(`/proc/${pid}/task`);
  const lists = threads.map((thread) => readProcIfShown(`${pid}/task/${thread}/children`));
  if (threads.length > 0 && lists.every((list) => list === null) && readProcess(pid) !== null) {
    return readProcesses().filter(({ parent }) => parent === pid);
  }
  const pids = lists.flatMap((list) => (list === null ? [] : (list.match(/\d+/g) ?? [])));
  return pids.flatMap((child) => readIfShown(Number(child)) ?? []);
}

/** `descendantsOf`, as the kernel lists them now. */
export function liveDescendants(pid: number): ProcessEntry[] {
  const found = childrenOf(pid);
  // A pid may come again while the lists are read.
  const seen = new Set(found.map((entry) => entry.pid));
  for (const entry of found) {
    const fresh = childrenOf(entry.pid).filter((child) => !seen.has(child.pid));
    for (const child of fresh) seen.add(child.pid);
    found.push(...fresh);
  }
  return found;
}

function readIfShown(pid: number): ProcessEntry | null {
  const text = readProcIfShown(`${pid}/stat`);
  return text === null ? null : parseStat(pid, text);
}

function listIfAny(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (saysGone(error) || saysHidden(error)) return [];
    throw error;
  }
}

/** Text of a file under /proc; null where the process is gone. @throws where that cannot be seen: it may be there */
function readProc(file: string): string | null {
  try {
    return readFileSync(`/proc/${file}`, 'latin1');
  } catch (error) {
    if (saysGone(error)) return null;
    throw error;
  }
}

/** The same for lists of what there is, where another user's process is passed over. */
export function readProcIfShown(file: string): string | null {
  try {
    return readProc(file);
  } catch (error) {
    if (saysHidden(error)) return null;
    throw error;
  }
}

const saysGone = (error: unknown): boolean => ['ENOENT', 'ESRCH'].includes(errorCode(error));
const saysHidden = (error: unknown): boolean => ['EACCES', 'EPERM'].includes(errorCode(error));

function parseStat(pid: number, text: string): ProcessEntry | null {
  const nameEnd = text.lastIndexOf(')');
  const fields = text.slice(nameEnd + 2).split(' ');
  // Numbered as in proc(5), where the state is field 3.
  const field = (number: number): string | undefined => fields[number - 3];
  const state = field(3);
  const startTime = field(22);
  if (state === undefined || startTime === undefined) return null;
  return {
    pid,
    startTime,
    state,
    name: text.slice(text.indexOf('(') + 1, nameEnd),
    parent: Number(field(4)),
    group: Number(field(5)),
    session: Number(field(6)),
    ticks: [14, 15, 16, 17].reduce((sum, number) => sum + Number(field(number)), 0),
  };
}

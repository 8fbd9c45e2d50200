import { readdirSync, readFileSync } from 'node:fs';
import { errorCode } from '../error-code.ts';
import type { Marker } from './marker.ts';
import { hasEnded, type ProcessEntry, type ProcessTable } from './process-entry.ts';

/** Linux's process table. */
export const procTable: ProcessTable = {
  source: 'proc',
  read: (pids) => pids.flatMap((pid) => readProcess(pid) ?? []),
  readAll: readProcesses,
  below: liveDescendants,
  marked: markedProcesses,
};

/** Ticks of /proc/<pid>/stat in a second: USER_HZ, which Linux fixes at 100 on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Null where no such process is left. @throws where that cannot be seen */
function readProcess(pid: number): ProcessEntry | null {
  const text = readProc(`${pid}/stat`);
  return text === null ? null : parseStat(pid, text);
}

function readProcesses(): ProcessEntry[] {
  const found: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const entry = readIfShown(Number(name));
    if (entry !== null) found.push(entry);
  }
  return found;
}

/**
 * The processes that a process started, or inherited, and that are there now. The kernel lists them by thread; where it
 * was built without that, the whole table is read, which takes milliseconds on a busy machine.
 */
function childrenOf(pid: number): ProcessEntry[] {
  const threads = listIfAny(`/proc/${pid}/task`);
  const lists = threads.map((thread) => readProcIfShown(`${pid}/task/${thread}/children`));
  if (threads.length > 0 && lists.every((list) => list === null) && readProcess(pid) !== null) {
    return readProcesses().filter(({ parent }) => parent === pid);
  }
  const pids = lists.flatMap((list) => (list === null ? [] : (list.match(/\d+/g) ?? [])));
  return pids.flatMap((child) => readIfShown(Number(child)) ?? []);
}

/** As the kernel lists them now. Within a pid namespace, init's are all there are. */
function liveDescendants(pid: number): ProcessEntry[] {
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

function markedProcesses(marker: Marker): ProcessEntry[] {
  const limit = new RegExp(`^Max realtime timeout +${marker} `, 'm');
  return readProcesses().filter((entry) => {
    const limits = readProcIfShown(`${entry.pid}/limits`);
    return limits !== null && limit.test(limits) && !hasEnded(entry);
  });
}

/** None where they cannot be read: a process that is to be ended is not kept for its name. */
function wordsOf(pid: number): string[] {
  try {
    return (readProcIfShown(`${pid}/cmdline`) ?? '').split('\0').filter((word) => word !== '');
  } catch {
    // EMFILE and the like.
    return [];
  }
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
    cpuMs: ([14, 15, 16, 17].reduce((sum, number) => sum + Number(field(number)), 0) * 1000) / TICKS_PER_SECOND,
    words: () => wordsOf(pid),
  };
}

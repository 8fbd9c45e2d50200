import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { descendantsOf, hasEnded, type ProcessEntry, type ProcessTable } from './process-entry.ts';
import { MARKER_VARIABLE, type Marker } from './marker.ts';
import { findOnPath } from './on-path.ts';

/**
 * The process table as `ps` tells it, in what those of macOS, the BSDs and Linux have in common. It says nothing of
 * sessions, and start times to the second; the environment is that of a program's start, of one's own processes, and on
 * macOS not of the system's own programs (/bin/sleep), which it keeps to itself.
 */
export const psTable: ProcessTable = {
  source: 'ps',
  read: (pids) => (pids.length === 0 ? [] : entries(['-p', pids.join(',')])),
  readAll: () => entries(['-A']),
  below: (pid) => descendantsOf(pid, entries(['-A'])),
  marked: markedProcesses,
};

const COLUMNS = ['pid', 'ppid', 'pgid', 'stat', 'time', 'lstart', 'command'].flatMap((name) => ['-o', `${name}=`]);

const LINE = /^ *(\d+) +(\d+) +(\d+) +(\S+) +(\S+) +(\w+ +\w+ +\d+ +[\d:]+ +\d+) +(.*)$/;

function entries(which: readonly string[]): ProcessEntry[] {
  return listed([...which, '-ww', ...COLUMNS]).flatMap((line) => {
    const [, pid, parent, group, state, time, started, command] = LINE.exec(line) ?? [];
    if (state === undefined || time === undefined || started === undefined || command === undefined) return [];
    const words = command.split(/ +/).filter((word) => word !== '');
    return {
      pid: Number(pid),
      startTime: started.replaceAll(/ +/g, ' '),
      parent: Number(parent),
      group: Number(group),
      session: null,
      state: state.charAt(0),
      name: path.basename(words[0] ?? ''),
      cpuMs: milliseconds(time),
      words: () => words,
    };
  });
}

/** `[[days-]hours:]minutes:seconds[.hundredths]` */
function milliseconds(time: string): number {
  const [days, clock] = time.includes('-') ? time.split('-') : ['0', time];
  const seconds = (clock ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round((Number(days) * 24 * 60 * 60 + seconds) * 1000);
}

/** What makes ps show environments behind commands: macOS's, or that of all others. */
const WITH_ENVIRONMENT = ['-E', 'e'];

function markedProcesses(marker: Marker): ProcessEntry[] {
  const bears = new RegExp(`^ *(\\d+) .* ${MARKER_VARIABLE}=${marker}( |$)`);
  const pids = listedWithEnvironment(['-A', '-ww', '-o', 'pid=', '-o', 'command=']).flatMap((line) => {
    const pid = bears.exec(line)?.[1];
    return pid === undefined ? [] : [Number(pid)];
  });
  // Asked once more, as what was listed shows environments, which no receipt may.
  return psTable.read(pids).filter((entry) => !hasEnded(entry));
}

function listedWithEnvironment(args: readonly string[]): string[] {
  const [macos, others] = WITH_ENVIRONMENT.map((option) => [option, ...args]);
  try {
    return listed(macos ?? []);
  } catch (error) {
    if (!(error instanceof PsRefused)) throw error;
    return listed(others ?? []);
  }
}

class PsRefused extends Error {
  override readonly name = 'PsRefused';
}

const PATIENCE_MS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

function listed(args: readonly string[]): string[] {
  const ps = findOnPath('ps', `${process.env['PATH'] ?? ''}:/bin:/usr/bin`);
  if (ps === null) throw new Error('there is no ps on PATH, so processes cannot be seen');
  const { error, status, stdout, stderr } = spawnSync(ps, args, {
    encoding: 'latin1',
    // Its dates must read the same whoever asks.
    env: { LC_ALL: 'C', TZ: 'UTC0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    maxBuffer: MOST_BYTES,
  });
  if (error !== undefined) throw error;
  // It fails without a word where there is no such process.
  if (status === 0 || (status === 1 && stdout === '' && stderr === '')) return stdout.split('\n');
  throw new PsRefused(`ps ${args.join(' ')} exits ${status ?? 'by a signal'}: ${stderr.trim()}`);
}

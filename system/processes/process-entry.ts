/** A process that cannot be mistaken for a later one with the same pid. `startTime`: in the words of its process table. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

export interface ProcessEntry extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
  /** Null where the system does not say. */
  readonly session: number | null;
  /** R, S, T, Z …; a zombie (Z) has ended and only waits to be reaped. */
  readonly state: string;
  readonly name: string;
  /** Its CPU time, and on Linux that of children it has waited for. */
  readonly cpuMs: number;
  /** Of its command line; none where they cannot be read. */
  words(): string[];
}

/** What this machine's kernel says about processes. Every look throws where nothing can be seen, which is not "gone". */
export interface ProcessTable {
  /** Where `startTime` comes from; `host/locks/hold-lock.sh` must ask the same. */
  readonly source: 'proc' | 'ps';
  /** Those of them that are there. */
  read(pids: readonly number[]): ProcessEntry[];
  readAll(): ProcessEntry[];
  /** Everything below a process now, children before grandchildren. */
  below(pid: number): ProcessEntry[];
  /** Those that bear a marker and have not ended. */
  marked(marker: number): ProcessEntry[];
}

export function hasEnded({ state }: ProcessEntry): boolean {
  return state === 'Z' || state === 'X';
}

/** Everything below a process in a table, children before grandchildren. */
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

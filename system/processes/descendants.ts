import type { ProcessEntry } from './process-entry.ts';

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

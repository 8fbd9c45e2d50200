import { MAX_LISTED } from '../../../schemas/round/max-listed.ts';
import type { Receipt, SeenProcess } from '../../../schemas/round/receipt.ts';
import type { ProcessEntry } from '../../../system/processes/process-entry.ts';

const MAX_COMMAND_CHARS = 120;
const MAX_WORD_CHARS = 32;
/** A script or a sentence is cut before it can say much. */
const MAX_SCRIPT_CHARS = 20;

/** A process as a receipt names it. */
export function describeProcess(entry: ProcessEntry): SeenProcess {
  return { pid: entry.pid, command: commandLine(entry.name, entry.words()) };
}

/**
 * A command in one bounded line. Arguments may hold secrets, so what stands behind a `=` and every long word that is
 * not a path is masked.
 */
export function commandLine(name: string, words: readonly string[]): string {
  const shown = words.map((word, index) => (TELLING.test(words[index - 1] ?? '') ? MASK : masked(word)));
  const line = words.length === 0 ? `[${name}]` : shown.join(' ');
  const printable = line.replace(/[^\x20-\x7e…]/g, '?');
  return printable.length > MAX_COMMAND_CHARS ? `${printable.slice(0, MAX_COMMAND_CHARS)}…` : printable;
}

const MASK = '***';

/** Options whose next word is a secret. */
const TELLING = /^--?[\w-]*(key|token|secret|password|passwd|auth|credential)[\w-]*$/i;

function masked(word: string): string {
  const assigned = /^([^=\s]+=)./.exec(word)?.[1];
  if (assigned !== undefined) return `${assigned}${MASK}`;
  const withoutUser = word.replace(/:\/\/[^/\s@]*@/g, `://${MASK}@`);
  if (withoutUser.length <= MAX_WORD_CHARS || /^[./\w@-]*\/[./\w@-]*$/.test(withoutUser)) return withoutUser;
  return /\s/.test(withoutUser) ? `${withoutUser.slice(0, MAX_SCRIPT_CHARS)}…` : MASK;
}

/** What was killed, as a receipt has it. */
export function listed(seen: readonly SeenProcess[], inAll: number): Pick<Receipt, 'killed' | 'killedUnlisted'> {
  const killed = seen.slice(0, MAX_LISTED);
  return { killed, killedUnlisted: inAll - killed.length };
}

export function describeSome(entries: readonly ProcessEntry[]): Pick<Receipt, 'killed' | 'killedUnlisted'> {
  return listed(entries.slice(0, MAX_LISTED).map(describeProcess), entries.length);
}

import type { SeenProcess } from '../../schemas/receipt.ts';
import { readProc } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';

const MAX_COMMAND_CHARS = 120;
const MAX_WORD_CHARS = 32;

/** A process as a receipt names it. */
export function describeProcess(entry: ProcessEntry): SeenProcess {
  const words = (readProc(`${entry.pid}/cmdline`) ?? '').split('\0').filter((word) => word !== '');
  return { pid: entry.pid, command: commandLine(entry.name, words) };
}

/**
 * A command in one bounded line. Arguments may hold secrets, so what stands behind a `=` and every long word that is
 * not a path is masked.
 */
export function commandLine(name: string, words: readonly string[]): string {
  const line = words.length === 0 ? `[${name}]` : words.map(masked).join(' ');
  const printable = line.replace(/[^\x20-\x7e]/g, '?');
  return printable.length > MAX_COMMAND_CHARS ? `${printable.slice(0, MAX_COMMAND_CHARS)}…` : printable;
}

function masked(word: string): string {
  const [name, value] = [word.slice(0, word.indexOf('=') + 1), word.slice(word.indexOf('=') + 1)];
  if (name !== '' && value !== '') return `${name}***`;
  if (word.length <= MAX_WORD_CHARS || /^[./\w-]*\/[./\w-]*$/.test(word)) return word;
  return /\s/.test(word) ? `${word.slice(0, MAX_WORD_CHARS)}…` : '***';
}

import { MAX_LISTED } from '../../schemas/round/max-listed.ts';
import type { Proof, Receipt } from '../../schemas/round/receipt.ts';
import { duration } from './amounts.ts';
import { printableLine } from '../../system/printable.ts';
import { fit } from './width.ts';
import type { RoundRow } from '../view/round-view.ts';

const PROOFS = {
  'namespace-gone': 'no process is left (the process namespace is gone)',
  echild: 'no process is left (the subreaper has no child left)',
  'nothing-started': 'nothing was running',
  'host-rebooted': 'no process is left (the machine has been restarted since)',
  observed: 'no process was found, but that is no proof',
  unproved: 'NOT PROVED: a process may still be running',
} as const satisfies Record<Proof, string>;

const MOST_NAMED = 8;
const NAME_COLUMNS = 40;

/** What a disposal found and proved, in a few lines: the first one holds the proof. */
export function receiptLines(receipt: Receipt): string[] {
  const { proof, killed, left, ms } = receipt;
  const lines = [`${PROOFS[proof]}; ${[...mechanismWords(receipt), duration(ms)].join(', ')}`, ...asked(receipt)];
  const killedInAll = killed.length + receipt.killedUnlisted;
  if (killedInAll > 0) lines.push(`${killedInAll} ended by SIGKILL: ${named(killed, killedInAll)}`);
  for (const { pid, command, why } of left) lines.push(`left ${pid} ${printableLine(command)}: ${printableLine(why)}`);
  return lines;
}

/** What held the processes, as words for a list; none where nothing was started. */
export function mechanismWords({ mechanism, proof }: Receipt): string[] {
  if (mechanism !== null) return [mechanism];
  return proof === 'nothing-started' ? [] : ['mechanism unknown'];
}

/** What SIGTERM ended: what got one and had not to be killed. Where that cannot be told, only that it was sent. */
function asked({ signals, killed, killedUnlisted, left, proof }: Receipt): string[] {
  const sent = signals.filter(({ signal }) => signal === 'SIGTERM');
  const isKnown = proof !== 'unproved' && killedUnlisted === 0;
  const others = new Set([...killed, ...left].map(({ pid }) => pid));
  const ended = isKnown ? sent.filter(({ pid }) => !others.has(pid)) : sent;
  if (ended.length === 0) return [];
  const count = `${sent.length === MAX_LISTED ? 'at least ' : ''}${ended.length}`;
  const what = isKnown ? `${count} ended by SIGTERM` : `SIGTERM was sent to ${count}`;
  return [`${what}: ${named(ended, ended.length)}`];
}

/** Some processes by what they ran; an agent's command can be a whole script. */
function named(seen: readonly { pid: number; command: string | null }[], inAll: number): string {
  const names = seen
    .slice(0, MOST_NAMED)
    .map(({ pid, command }) => (command === null ? `pid ${pid}` : fit(printableLine(command), NAME_COLUMNS)));
  return [...names, ...(inAll > names.length ? [`${inAll - names.length} more`] : [])].join(', ');
}

/** What a reader of a run must know before pushing: which rounds committed a known secret. Null: none. */
export function committedSecretsText(runId: string, rounds: readonly RoundRow[]): string | null {
  const telling = rounds.filter(({ secrets }) => secrets.length > 0);
  if (telling.length === 0) return null;
  const names = [...new Set(telling.flatMap(({ secrets }) => secrets))].map(printableLine).join(', ');
  const numbers = telling.map(({ round }) => round);
  const where = `${numbers.length === 1 ? 'round' : 'rounds'} ${numbers.join(', ')}`;
  return `The commits of ${where} hold a secret: ${names}. Do not push them; ralph show ${printableLine(runId)} --round ${numbers[0]} names the files.`;
}

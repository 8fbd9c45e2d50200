import { setTimeout as delay } from 'node:timers/promises';
import { ralphError, RalphError } from '../../../schemas/errors/index.ts';
import type { Mechanism } from '../../../schemas/round/receipt.ts';
import { errorCode, hasCode, messageOf } from '../../../system/error-code.ts';
import { findOnPath } from '../../../system/processes/on-path.ts';

/** The error of a container that did not come up; its `cause` says why in words alone, for another error's text. */
export function containerFailed(mechanism: Mechanism, cause: string): RalphError {
  return ralphError('container-failed', { mechanism, cause }, { cause: new Error(cause) });
}

/** The path of a program that a mechanism needs, on the worker's PATH. @throws RalphError `container-failed` */
export function programOrFail(name: string, mechanism: Mechanism): string {
  const file = findOnPath(name, process.env.PATH);
  if (file === null) throw containerFailed(mechanism, `there is no ${name} on PATH`);
  return file;
}

/** An error as a part of a sentence. Whoever quotes it has ways out of its own. */
export function inWords(error: unknown): string {
  const about = error instanceof RalphError && error.cause instanceof Error ? error.cause : error;
  return messageOf(about).replace(/\.$/, '');
}

const CODES = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'machine-short']);

/** In the words of programs. Not "No space left on device", which also says that user namespaces are forbidden. */
const WORDS =
  /Resource temporarily unavailable|Cannot fork|Cannot allocate memory|Too many open files|\bE(AGAIN|NOMEM|MFILE|NFILE)\b/;

/** Whether a program's words say that the machine had no room for a process or a file. */
export const wordsSayShortage = (words: string): boolean => WORDS.test(words);

/** Whether the machine had no room for a process or a file at that moment, which says nothing about the next. */
export function saysShortage(error: unknown): boolean {
  return CODES.has(errorCode(error)) || (error instanceof RalphError && wordsSayShortage(error.message));
}

/** The error itself, or, where it says that the machine had no room, one that names that. */
export function namedIfShort(error: unknown): unknown {
  if (!saysShortage(error) || hasCode(error, 'machine-short')) return error;
  return ralphError('machine-short', { cause: inWords(error) }, { cause: error });
}

const PAUSES_MS = [200, 1_000, 3_000];

/** Try again, a few times within seconds, as long as the machine has no room. */
export async function whileShort<T>(
  act: () => Promise<T>,
  isShort: (settled: PromiseSettledResult<T>) => boolean,
): Promise<T> {
  for (const pause of PAUSES_MS) {
    const [settled] = await Promise.allSettled([act()]);
    if (!isShort(settled)) {
      if (settled.status === 'fulfilled') return settled.value;
      throw settled.reason;
    }
    await delay(pause);
  }
  return await act();
}

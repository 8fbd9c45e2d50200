import { setTimeout as delay } from 'node:timers/promises';
import { durationText } from '../../../schemas/text/duration-text.ts';
import type { Mechanism } from '../../../schemas/round/receipt.ts';
import { containerFailed } from '../choose/container-failed.ts';
import { messageOf } from '../../../system/message-of.ts';
import type { Latched } from './latch.ts';
import { lastWords } from './last-words.ts';

/**
 * Wait until a container is complete, and find the processes that make it up. A container of which that cannot be said
 * is ended, as nobody could dispose of it later.
 * @param find null where they are not there
 * @throws RalphError `container-failed`
 */
export async function bringUp<T>(latched: Latched, mechanism: Mechanism, find: () => Promise<T | null>): Promise<T> {
  let cause = 'it ended without a word';
  try {
    const ready = await Promise.race([latched.ready, delay(COMES_UP_MS, null, { ref: false })]);
    if (ready === null) cause = `it was not complete within ${durationText(COMES_UP_MS)}`;
    const found = ready === true ? await find() : null;
    if (found !== null) return found;
  } catch (error) {
    cause = `its processes cannot be seen: ${messageOf(error)}`;
  }
  const words = await giveUp(latched);
  throw containerFailed(mechanism, words === '' ? cause : words);
}

/** Most take milliseconds; a machine under load a second or two. */
const COMES_UP_MS = 30_000;

const END_MS = 5_000;

/** End a container in which no command was started yet. @returns its last words */
async function giveUp(latched: Latched): Promise<string> {
  const words = await lastWords(latched);
  // A latch that reads an end of file instead of its word ends.
  latched.close();
  latched.kill();
  await Promise.race([latched.exited, delay(END_MS, undefined, { ref: false })]);
  for (const stream of [latched.stdout, latched.stderr]) stream.destroy();
  return words;
}

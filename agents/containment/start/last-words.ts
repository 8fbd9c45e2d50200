import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Latched } from './latch.ts';

const MAX_CHARS = 400;
const PATIENCE_MS = 500;

/** What a container in which no command was started said on stderr, bounded: most often that says why. */
export async function lastWords({ stderr }: Latched): Promise<string> {
  const words: string[] = [];
  stderr.setEncoding('utf8').on('data', (chunk: string) => words.push(chunk));
  await Promise.race([once(stderr, 'close'), delay(PATIENCE_MS, undefined, { ref: false })]);
  return words.join('').trim().slice(-MAX_CHARS);
}

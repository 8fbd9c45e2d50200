import { RalphError } from '../../../schemas/errors/index.ts';
import { messageOf } from '../../../system/message-of.ts';

/** An error as a part of a sentence: whoever quotes it has ways out of its own. */
export function inWords(error: unknown): string {
  const about = error instanceof RalphError && error.cause instanceof Error ? error.cause : error;
  return messageOf(about).replace(/\.$/, '');
}

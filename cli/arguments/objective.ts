import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { errnoText } from '../../schemas/errors/errno-text.ts';
import { RalphError, ralphError } from '../../schemas/errors/index.ts';
import { MAX_OBJECTIVE_CHARS } from '../../schemas/run/run.ts';

/** A UTF-16 code unit takes at most three bytes of UTF-8: what is longer holds more than is allowed. */
const MAX_BYTES = MAX_OBJECTIVE_CHARS * 3;

const tooLong = (size: string) => ralphError('objective-too-long', { size, limit: MAX_OBJECTIVE_CHARS });

async function readBounded(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > MAX_BYTES) throw tooLong(`more than ${MAX_BYTES.toLocaleString('en-US')} bytes`);
    chunks.push(buffer);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer, source: string): string {
  try {
    // Byte for byte: a byte order mark stays, and nothing is trimmed.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw ralphError('objective-not-utf8', { source }, { cause: error });
  }
}

async function fromFile(file: string): Promise<string> {
  let bytes;
  try {
    bytes = await readBounded(createReadStream(file));
  } catch (error) {
    if (error instanceof RalphError) throw error;
    throw ralphError('objective-unreadable', { file, reason: errnoText(error) }, { cause: error });
  }
  return decode(bytes, file);
}

/** The objective, byte for byte: an argument, a file, or stdin where the argument is "-". Exactly one is given. */
export async function readObjective(from: {
  argument: string | undefined;
  file: string | undefined;
  stdin: Readable;
}): Promise<string> {
  const { argument, file, stdin } = from;
  if ((argument === undefined) === (file === undefined)) throw ralphError('objective-source', {});
  let objective;
  if (file !== undefined && file !== '-') objective = await fromFile(file);
  else if (file === '-' || argument === '-') objective = decode(await readBounded(stdin), 'stdin');
  else objective = String(argument);
  if (objective.trim() === '') throw ralphError('objective-empty', {});
  if (objective.length > MAX_OBJECTIVE_CHARS) {
    throw tooLong(`${objective.length.toLocaleString('en-US')} characters`);
  }
  return objective;
}

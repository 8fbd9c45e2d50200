import { randomBytes } from 'node:crypto';
import { ralphError } from '../../schemas/errors/index.ts';
import { homePaths } from '../home-paths.ts';
import { makeOnce } from './make-once.ts';

const BYTES = 32;

/** The key that signs every payload of this RALPH_HOME: 32 random bytes, made at first use, in a file of mode 0600. */
export async function payloadKey(ralphHome: string): Promise<Buffer> {
  const file = homePaths(ralphHome).payloadKey;
  const text = (await makeOnce(file, () => `${randomBytes(BYTES).toString('hex')}\n`)).trim();
  if (!/^[0-9a-f]{64}$/.test(text)) {
    throw ralphError('home-file-broken', { file, problem: `a key has ${BYTES} bytes in hex` });
  }
  return Buffer.from(text, 'hex');
}

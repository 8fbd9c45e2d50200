import { randomInt } from 'node:crypto';
import { ralphError } from '../../schemas/errors/index.ts';
import { homePaths } from '../home-paths.ts';
import { makeOnce } from './make-once.ts';

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 16;

/** The id of this machine's RALPH_HOME, random, made at first use: it names the queues of what needs its disk. */
export async function hostId(ralphHome: string): Promise<string> {
  const file = homePaths(ralphHome).hostId;
  const text = await makeOnce(file, () => Array.from({ length: LENGTH }, randomCharacter).join('') + '\n');
  const id = text.trim();
  if (!/^[a-z0-9]{16}$/.test(id)) {
    throw ralphError('home-file-broken', { file, problem: `an id has ${LENGTH} of the characters a-z and 0-9` });
  }
  return id;
}

const randomCharacter = (): string => CHARACTERS.charAt(randomInt(CHARACTERS.length));

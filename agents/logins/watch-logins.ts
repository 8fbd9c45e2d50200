import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { Redactor } from '../../redaction/redactor.ts';
import { copySecrets, type HomeCopy } from './home-files.ts';
import { readHomeFile } from './read-home-file.ts';

/**
 * Tokens that a program renews while a round is under way are learned before it can have printed them into a file of
 * ours. @returns what to await before each write
 */
export function watchLogins(copies: readonly HomeCopy[], home: string, redactor: Redactor): () => Promise<void> {
  const seen = new Map<HomeCopy, string>();
  return async () => {
    for (const copy of copies) {
      if (!copy.renews) continue;
      const state = await lstat(path.join(home, copy.to)).then(
        ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
        () => 'gone',
      );
      if (state === seen.get(copy)) continue;
      seen.set(copy, state);
      const text = await readHomeFile(home, copy.to);
      if (text !== null) redactor.learn(copySecrets({ from: copy.from, text }));
    }
  };
}

import { randomInt } from 'node:crypto';
import path from 'node:path';

/** No vowels and nothing that is easily misread: what comes out is no word, and can be told on the phone. */
const ALPHABET = 'bcdfghjkmnpqrstvwxz23456789';
const SUFFIX_CHARS = 5;
const MAX_STEM_CHARS = 30;

/**
 * A fresh run id such as "widgets-k3f9x": the repository's folder, so that a list reads well, and 14 million
 * possibilities. Nothing of the objective is in it, as run ids stand in logs and branch names.
 */
export function generateRunId(repositoryPath: string): string {
  const stem = path
    .basename(repositoryPath)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_STEM_CHARS)
    .replaceAll(/^-+|-+$/g, '');
  const suffix = Array.from({ length: SUFFIX_CHARS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return `${stem === '' ? 'run' : stem}-${suffix}`;
}

import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { MAX_IGNORE_CHARS } from '../../schemas/run/run.ts';
import type { Settings } from '../git/repository-settings.ts';
import type { FoundRepository } from './find-repository.ts';

/** The user's own ignore rules, and what they should know about those that do not apply. */
export interface IgnoreRules {
  readonly rules: string;
  readonly warnings: readonly string[];
}

/**
 * The rules by which a user's git ignores files beside `.gitignore`: `core.excludesFile`, then `info/exclude`, which has
 * the last word. Comments are left out: the rules travel with every round.
 */
export async function readIgnoreRules({ top, commonDir }: FoundRepository, settings: Settings): Promise<IgnoreRules> {
  const files = [excludesFile(top, settings), join(commonDir, 'info', 'exclude')];
  const warnings: string[] = [];
  let rules = '';
  for (const file of files) {
    const more = await rulesIn(file);
    if (more === null || rules.length + more.length > MAX_IGNORE_CHARS)
      warnings.push(
        `The ignore rules in ${file} do not apply to the run: they have more than ${MAX_IGNORE_CHARS} characters.`,
      );
    else rules += more;
  }
  return { rules, warnings };
}

/** Where git looks for the rules of all of a user's repositories. */
function excludesFile(top: string, settings: Settings): string {
  const named = settings.get('core.excludesfile');
  if (named !== undefined) return resolve(top, named.replace(/^~(?=\/)/, homedir()));
  const configuration = process.env['XDG_CONFIG_HOME'];
  return join(
    configuration === undefined || configuration === '' ? join(homedir(), '.config') : configuration,
    'git',
    'ignore',
  );
}

/** Null: too long to be somebody's rules. */
async function rulesIn(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null);
  if (found?.isFile() !== true) return '';
  if (found.size > MAX_FILE_BYTES) return null;
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.map((line) => `${line}\n`).join('');
}

const MAX_FILE_BYTES = 1024 * 1024;

import { RalphError } from '../schemas/errors/index.ts';
import { GitError, type GitOutput } from './git.ts';

/** Null where git gave up or was killed for taking too long. */
export async function unlessStopped(output: Promise<GitOutput>): Promise<GitOutput | null> {
  try {
    return await output;
  } catch (error) {
    if (error instanceof GitError || (error instanceof RalphError && error.code === 'git-timed-out')) return null;
    throw error;
  }
}

import { RalphError } from '../../schemas/errors/index.ts';
import { GitError, type GitOutput } from '../git/git.ts';

/** `gave-up`: git ended with an error. `timed-out`: it was killed for taking too long. */
export async function unlessStopped(output: Promise<GitOutput>): Promise<GitOutput | 'gave-up' | 'timed-out'> {
  try {
    return await output;
  } catch (error) {
    if (error instanceof GitError) return 'gave-up';
    if (error instanceof RalphError && error.code === 'git-timed-out') return 'timed-out';
    throw error;
  }
}

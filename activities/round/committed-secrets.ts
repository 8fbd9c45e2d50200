import type { Redactor } from '../../redaction/redactor.ts';
import type { CommittedSecret } from '../../schemas/round/round.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';
import { searchCommits } from '../../workspaces/git/search-commits.ts';

const MAX_NAMED = 20;

/**
 * The known secrets that an attempt's commits hold: nothing can take them out of what an agent committed, so they are
 * named. Where the search fails a note says so; the round does not.
 */
export async function committedSecrets(asked: {
  redactor: Redactor;
  run: RunPaths;
  runId: string;
  round: number;
  attempt: number;
  base: string;
  commit: string;
}): Promise<{ secrets: CommittedSecret[]; notes: string[] }> {
  const { redactor, run } = asked;
  const secrets = new Map<string, CommittedSecret>();
  try {
    for await (const { path, text } of searchCommits({ ...asked, paths: run })) {
      for (const { name } of redactor.find(text)) {
        const secret = { name, path: path === null ? null : redactor.text(path) };
        if (secrets.size < MAX_NAMED) secrets.set(JSON.stringify(secret), secret);
      }
    }
    return { secrets: [...secrets.values()], notes: [] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { secrets: [...secrets.values()], notes: [`The commits were not searched for secrets to the end: ${why}`] };
  }
}

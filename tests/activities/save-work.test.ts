import { saveWork } from '../../activities/round/save-work.ts';
import { Redactor } from '../../redaction/redactor.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import { removeTemporaryFolders, shell, startRun, userRepository } from '../workspaces/user-repository.ts';

afterAll(removeTemporaryFolders);

/** Save a round's work while the search for secrets fails at one file. */
async function saveWhereSearchFails(error: Error) {
  class Failing extends Redactor {
    override find(text: string) {
      if (text.includes('found at last')) throw error;
      return super.find(text);
    }
  }
  const { paths, request } = await startRun(userRepository({ 'a.txt': 'one\n' }));
  await beginRound({ paths, round: 1, attempt: 1 });
  shell(paths.tree, 'echo found at last > b.txt');
  const said = { status: 'continue', summary: 'Did it.', notes: [] } as const;
  return await saveWork({ redactor: new Failing(), run: paths, request, round: 1, attempt: 1, ...said });
}

test('a search for secrets that a limit ends is told in a note', async () => {
  const limit = ralphError('git-output-too-large', { command: 'cat-file', limit: 7 });
  expect(await saveWhereSearchFails(limit)).toMatchObject({
    ref: 'refs/heads/ralph/mend',
    notes: [
      'The commits were not searched for secrets to the end: git cat-file printed more than 7 bytes and was killed.',
    ],
  });
});

test.each([new TypeError('x is not a function'), Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' })])(
  'a defect of the engine is not told as if the search had failed: %s',
  async (defect) => {
    await expect(saveWhereSearchFails(defect)).rejects.toBe(defect);
  },
);

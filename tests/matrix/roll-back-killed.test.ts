import { buildWorkspaces } from '../workspaces/build-workspaces.ts';
import { expectWholeAfterKills } from '../workspaces/killed-roll-back.ts';
import { removeTemporaryFolders } from '../workspaces/user-repository.ts';

const build = buildWorkspaces();
afterAll(() => {
  build.remove();
  removeTemporaryFolders();
});

test('a rollback killed before each of its steps, and in each git, is made whole by calling it again', async () => {
  expect(await expectWholeAfterKills(build.folder, 1)).toBeGreaterThan(15);
}, 600_000);

import path from 'node:path';
import { unmatchedGlobs } from '../../workspaces/verification/unmatched-globs.ts';
import { gitRepository } from '../support/git-repository.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('unmatched-globs');

test('globs that no file of the commit matches are named, as git reads them', async () => {
  const files = { 'tests/a.ts': 'a', 'tests/deep/b.ts': 'b', 'package.json': '{}' };
  const { path: top, commit } = gitRepository(path.join(folder, 'repository'), files);
  const globs = ['tests/**', 'test/**', '*.json', '*.ts', '**/*.ts', 'tests', 'package-lock.json'];
  expect(await unmatchedGlobs({ path: top, commit, globs })).toEqual(['test/**', '*.ts', 'package-lock.json']);
});

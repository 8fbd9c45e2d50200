import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeTemp } from '../../../agents/containment/bubblewrap/private-temp.ts';

/** Folders in each other, whose path is longer than the system allows. */
const DEEP = `
import os
for n in range(300):
    os.mkdir('folder-%d-of-the-many' % n)
    os.chdir('folder-%d-of-the-many' % n)
open('file', 'w').close()
`;

test('the private temp folder goes, also if a command locked a folder in it or made its paths too long', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ralph-tmp-'));
  execFileSync('python3', ['-c', DEEP], { cwd: folder });
  execFileSync('sh', ['-c', 'mkdir -p locked/inner; touch locked/inner/file; chmod 000 locked'], { cwd: folder });
  await removeTemp(folder);
  expect(existsSync(folder)).toBe(false);
});

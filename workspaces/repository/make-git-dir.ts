import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files that make a folder a repository, written by us: no template, hook or setting comes from anywhere else. */
export async function makeGitDir(wanted: {
  folder: string;
  /** The branch that HEAD names. */
  branch: string;
  /** The commit it points at. */
  commit: string;
  config: string;
}): Promise<void> {
  const { folder, branch, commit, config } = wanted;
  const folders = [['objects', 'pack'], ['objects', 'info'], ['refs', 'heads'], ['refs', 'tags'], ['info']];
  await Promise.all(folders.map((names) => mkdir(join(folder, ...names), { recursive: true })));
  await Promise.all([
    writeFile(join(folder, 'HEAD'), `ref: refs/heads/${branch}\n`),
    writeFile(join(folder, 'refs', 'heads', branch), `${commit}\n`),
    writeFile(join(folder, 'config'), config),
  ]);
}

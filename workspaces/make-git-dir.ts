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
  await mkdir(join(folder, 'objects', 'pack'), { recursive: true });
  await mkdir(join(folder, 'objects', 'info'));
  await mkdir(join(folder, 'refs', 'heads'), { recursive: true });
  await mkdir(join(folder, 'refs', 'tags'));
  await mkdir(join(folder, 'info'));
  await writeFile(join(folder, 'HEAD'), `ref: refs/heads/${branch}\n`);
  await writeFile(join(folder, 'refs', 'heads', branch), `${commit}\n`);
  await writeFile(join(folder, 'config'), config);
}

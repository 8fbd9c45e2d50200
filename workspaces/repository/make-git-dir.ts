import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files that make a folder a repository, written by us: no template, hook or setting comes from anywhere else. */
export function makeGitDir(wanted: {
  folder: string;
  /** The branch that HEAD names. */
  branch: string;
  /** The commit it points at. */
  commit: string;
  config: string;
}): void {
  const { folder, branch, commit, config } = wanted;
  const folders = [['objects', 'pack'], ['objects', 'info'], ['refs', 'heads'], ['refs', 'tags'], ['info']];
  for (const names of folders) mkdirSync(join(folder, ...names), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), `ref: refs/heads/${branch}\n`);
  writeFileSync(join(folder, 'refs', 'heads', branch), `${commit}\n`);
  writeFileSync(join(folder, 'config'), config);
}

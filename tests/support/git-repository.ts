import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A repository of a user, with one commit of the files given. */
export function gitRepository(folder: string, files: Record<string, string>) {
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'User');
  git('config', 'user.email', 'user@example.invalid');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  git('add', '--all');
  git('commit', '--quiet', '--message', 'base');
  return { path: folder, git, commit: git('rev-parse', 'HEAD') };
}
export type GitRepository = ReturnType<typeof gitRepository>;

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ENV = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };

export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, env: ENV, encoding: 'utf8' }).trim();
}

/** A repository of one commit. */
export function makeRepository(folder: string, files: Record<string, string>): string {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'config', 'user.name', 'Test');
  git(folder, 'config', 'user.email', 'test@example.org');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'first');
  return folder;
}

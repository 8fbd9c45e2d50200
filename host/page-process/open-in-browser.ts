import { spawn } from 'node:child_process';
import { findOnPath } from '../../system/processes/on-path.ts';
import { writeTextAtomically } from '../../system/write-atomically.ts';
import type { Environment } from '../environment.ts';
import { homePaths } from '../home-paths.ts';

const OPENERS = process.platform === 'darwin' ? ['open'] : ['xdg-open', 'x-www-browser'];

/**
 * Open the page in the user's browser. Every user of a machine can read the arguments of commands, so the browser is
 * given a file that only this user can read, and that file sends it to the page. @returns false: nothing opens browsers
 */
export async function openInBrowser(how: { ralphHome: string; env: Environment; url: string }): Promise<boolean> {
  const { ralphHome, env, url } = how;
  const program = OPENERS.map((name) => findOnPath(name, env['PATH'])).find((found) => found !== null);
  if (program === undefined || program === null) return false;
  const { pageOpener } = homePaths(ralphHome);
  await writeTextAtomically(
    pageOpener,
    `<!doctype html><meta charset="utf-8"><title>ralph</title><meta http-equiv="refresh" content="0;url=${url}"><a href="${url}">Open the page</a>\n`,
  );
  const child = spawn(program, [pageOpener], { detached: true, stdio: 'ignore', env });
  const started = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  child.unref();
  return started;
}

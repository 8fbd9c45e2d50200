import { execFileSync } from 'node:child_process';

/** Whether this machine's git runs hooks that a configuration defines, as git does from 2.54 on. */
export function runsConfiguredHooks(): boolean {
  const [, major = '', minor = ''] = /(\d+)\.(\d+)/.exec(execFileSync('git', ['version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 54);
}

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findOnPath } from './on-path.ts';

let known: string | null = null;

/** Changes with every boot of this machine; null where the system does not say. */
export function bootId(): string | null {
  return (known ??= process.platform === 'linux' ? fromProc() : fromSysctl());
}

function fromProc(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || null;
  } catch {
    // A Linux without /proc, or one that hides this.
    return null;
  }
}

/** The first is macOS's; the second is the BSDs' too, but moves with the clock on macOS. */
const NAMES = ['kern.bootsessionuuid', 'kern.boottime'];

function fromSysctl(): string | null {
  const sysctl = findOnPath('sysctl', `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`);
  if (sysctl === null) return null;
  for (const name of NAMES) {
    const { status, stdout } = spawnSync(sysctl, ['-n', name], { encoding: 'utf8', env: { LC_ALL: 'C', TZ: 'UTC0' } });
    if (status === 0 && stdout.trim() !== '') return stdout.trim();
  }
  return null;
}

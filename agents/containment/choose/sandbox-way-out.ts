import { readFileSync } from 'node:fs';
import type { Sandbox } from '../../../schemas/run/sandbox.ts';
import { findOnPath } from '../../../system/processes/on-path.ts';

/** What a user can do about a sandbox that cannot be had here. */
export function sandboxWayOut(sandbox: Sandbox): string {
  const less = lessThan(sandbox);
  if (process.platform !== 'linux') return `Sandboxes need Linux with bubblewrap. ${less}`;
  if (findOnPath('bwrap', process.env.PATH) === null) {
    return `Install bubblewrap (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap; Arch: pacman -S bubblewrap). ${less}`;
  }
  const forbidden = SWITCHES.filter(({ file, forbids }) => setting(file) === forbids);
  if (forbidden.length > 0) return `Allow user namespaces: ${forbidden.map(({ fix }) => fix).join(' and ')}. ${less}`;
  return `Inside a container, start it so that user namespaces are allowed (Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined). ${less}`;
}

function lessThan({ level, network }: Sandbox): string {
  const switched = network ? '' : ' --network';
  if (level === 'full-access') return 'Or let the agent have the network: --network.';
  return `Or ask for less, with --sandbox full-access${switched}: the agent may then write wherever you may, and only its processes are held.`;
}

/** Kernel settings that keep ordinary users from namespaces. */
const SWITCHES = [
  {
    file: '/proc/sys/kernel/unprivileged_userns_clone',
    forbids: '0',
    fix: 'sysctl -w kernel.unprivileged_userns_clone=1',
  },
  { file: '/proc/sys/user/max_user_namespaces', forbids: '0', fix: 'sysctl -w user.max_user_namespaces=15000' },
  {
    file: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    forbids: '1',
    fix: 'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (or an AppArmor profile for bwrap)',
  },
];

function setting(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    // This kernel does not have the setting.
    return null;
  }
}

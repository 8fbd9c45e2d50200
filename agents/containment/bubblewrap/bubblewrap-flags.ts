import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox } from '../../../schemas/run/sandbox.ts';
import type { Mounts } from '../containment.ts';
import { certificatePlaces } from './base-environment.ts';
import { isFolder, real, type SandboxHost } from './sandbox-host.ts';
import { toolchainsIn } from './toolchains.ts';

/** Where programs of this machine meet: replaced by empty, private ones. */
const SHARED = ['/tmp', '/var/tmp', '/run', '/var/run'];

/** bwrap's arguments up to the command. Measured in `docs/sandbox.md`: change both, and the table's test, together. */
export function bubblewrapFlags(sandbox: Sandbox, mounts: Mounts, host: SandboxHost): string[] {
  return [
    ['--die-with-parent', '--new-session', '--unshare-pid'],
    sandbox.network ? [] : ['--unshare-net'],
    systemView(sandbox, mounts, host),
    ralphHomeView(sandbox, mounts, host),
    ['--chdir', mounts.tree],
  ].flat();
}

function systemView(sandbox: Sandbox, mounts: Mounts, host: SandboxHost): string[] {
  // As root the files below /proc/sys belong to the command too, and they are the host's.
  const procSys = host.root ? ['--ro-bind', '/proc/sys', '/proc/sys'] : [];
  switch (sandbox.level) {
    case 'full-access':
      return [
        ['--bind', '/', '/', '--dev-bind', '/dev', '/dev', '--proc', '/proc'],
        procSys,
        // Root could otherwise lift the mask off RALPH_HOME.
        host.root ? ['--cap-drop', 'CAP_SYS_ADMIN'] : [],
      ].flat();
    case 'read-only':
    case 'workspace-write':
      return [
        ['--unshare-user', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--cap-drop', 'ALL'],
        // Without it a namespace inside this one cannot map root, and the agents' own sandboxes fail.
        host.root ? ['--cap-add', 'CAP_SETFCAP'] : [],
        ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
        procSys,
        SHARED.filter(isFolder).flatMap((folder) => ['--tmpfs', folder]),
        neededOfRun(),
        host.root ? hostKeys() : [],
        homeView(mounts.readable, host),
      ].flat();
    default:
      return sandbox.level satisfies never;
  }
}

/** Sockets and state in /run are hidden; name resolution and NixOS's programs are not state. */
function neededOfRun(): string[] {
  const resolver = real('/etc/resolv.conf');
  const needed = ['/run/current-system', ...(resolver.startsWith('/run/') ? [resolver] : [])];
  return needed.filter((place) => existsSync(place)).flatMap((place) => ['--ro-bind', place, place]);
}

/** What only root can read, and no agent needs. */
function hostKeys(): string[] {
  const files = ['/etc/shadow', '/etc/gshadow', '/etc/shadow-', '/etc/gshadow-'].filter((file) => existsSync(file));
  return [
    ...files.flatMap((file) => ['--ro-bind', '/dev/null', file]),
    ...['/etc/ssh', '/etc/ssl/private'].filter(isFolder).flatMap((folder) => ['--tmpfs', folder]),
  ];
}

function homeView(declared: readonly string[], host: SandboxHost): string[] {
  const toolchains = host.homes.flatMap((home) => toolchainsIn(home, host.workerEnv).folders);
  const hidden = [...host.homes, ...SHARED];
  const opened = [...declared, ...certificatePlaces(host.workerEnv)].filter((place) =>
    hidden.some((folder) => isWithin(folder, place)),
  );
  return [
    ...host.homes.flatMap((home) => ['--tmpfs', home]),
    ...[...toolchains, ...opened].flatMap((place) => ['--ro-bind-try', place, place]),
  ];
}

/** RALPH_HOME is masked, and what belongs to the attempt is mounted back. The engine's keys, ledgers and server stay out. */
function ralphHomeView(sandbox: Sandbox, mounts: Mounts, host: SandboxHost): string[] {
  const home = real(mounts.ralphHome);
  const linkHidden = home !== mounts.ralphHome && host.homes.some((hidden) => isWithin(hidden, mounts.ralphHome));
  return [
    ['--tmpfs', home],
    // Where a link leads to it from a folder that is hidden, the link is made again.
    linkHidden ? ['--symlink', home, mounts.ralphHome] : [],
    bind(sandbox.level === 'read-only' ? '--ro-bind' : '--bind', mounts.tree),
    bind('--ro-bind', mounts.objects),
    [mounts.home, mounts.cache, mounts.inbox].flatMap((folder) => bind('--bind', folder)),
    ['--remount-ro', home],
  ].flat();
}

function bind(flag: string, place: string): string[] {
  return [flag, real(place), real(place)];
}

function isWithin(folder: string, place: string): boolean {
  return place === folder || place.startsWith(`${folder}/`);
}

/** Files and folders that a shell command names by absolute paths, that are there, and that a sandbox hides from it. */
export function hiddenPaths(command: string, sandbox: Sandbox, host: SandboxHost): string[] {
  if (sandbox.level === 'full-access') return [];
  const shown = [...host.homes.flatMap((home) => toolchainsIn(home, host.workerEnv).folders), ...sandbox.readable];
  const words = command.split(/[\s'"`;&|<>()=]+/).filter((word) => path.isAbsolute(word));
  const named = [...new Set(words.map((word) => path.normalize(word)))];
  return named.filter(
    (place) =>
      [...host.homes, ...SHARED].some((hidden) => place !== hidden && isWithin(hidden, place)) &&
      !shown.some((folder) => isWithin(folder, place)) &&
      existsSync(place),
  );
}

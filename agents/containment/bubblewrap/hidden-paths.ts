import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox } from '../../../schemas/run/sandbox.ts';
import { isWithin, SHARED } from './bubblewrap-flags.ts';
import type { SandboxHost } from './sandbox-host.ts';
import { toolchainsIn } from './toolchains.ts';

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

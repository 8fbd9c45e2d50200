import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeUnlocking } from '../../../system/remove-unlocking.ts';
import type { ContainedCommand, Containment } from '../containment.ts';

const PREFIX = 'ralph-tmp-';

/**
 * Give commands a temp folder of their own (TMPDIR) where the level leaves them the machine's, and remove it with
 * them. Its path is short: below the attempt's folder the names of sockets would grow too long.
 */
export function withPrivateTemp(containment: Containment): Containment {
  return {
    mechanism: containment.mechanism,
    start: async (command: ContainedCommand) => {
      if (command.sandbox.level !== 'full-access') return await containment.start(command);
      const folder = await mkdtemp(path.join(tmpdir(), PREFIX));
      try {
        const contained = await containment.start({ ...command, env: { ...command.env, TMPDIR: folder } });
        return {
          ...contained,
          dispose: async (how) => {
            const receipt = await contained.dispose(how);
            await removeTemp(folder);
            return receipt;
          },
        };
      } catch (error) {
        await removeTemp(folder);
        throw error;
      }
    },
  };
}

/** The folder that a command was given. */
export function privateTempOf({ sandbox, env }: ContainedCommand): string | null {
  return sandbox.level === 'full-access' && env.TMPDIR !== undefined ? env.TMPDIR : null;
}

/** What cannot be removed, say another user's file, is left: it says nothing about processes. */
export async function removeTemp(folder: string): Promise<void> {
  if (!path.basename(folder).startsWith(PREFIX)) return;
  await removeUnlocking(folder).catch(() => undefined);
}

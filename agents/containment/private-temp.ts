import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ContainedCommand, Containment } from './containment.ts';

/**
 * Give commands a temp folder of their own (TMPDIR) where the level leaves them the machine's, and remove it with
 * them. Its path is short: below the attempt's folder the names of sockets would grow too long.
 */
export function withPrivateTemp(containment: Containment): Containment {
  return {
    mechanism: containment.mechanism,
    start: async (command: ContainedCommand) => {
      if (command.sandbox.level !== 'full-access') return await containment.start(command);
      const folder = await mkdtemp(path.join(tmpdir(), 'ralph-'));
      const remove = (): Promise<void> => rm(folder, { recursive: true, force: true }).catch(() => undefined);
      try {
        const contained = await containment.start({ ...command, env: { ...command.env, TMPDIR: folder } });
        return {
          ...contained,
          dispose: async (how) => {
            const receipt = await contained.dispose(how);
            // What cannot be removed, say another user's file, is left: it says nothing about processes.
            await remove();
            return receipt;
          },
        };
      } catch (error) {
        await remove();
        throw error;
      }
    },
  };
}

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { rollBack } from '../../workspaces/rollback/roll-back.ts';
import { KEPT, refs, standing, threeRounds } from './three-rounds.ts';
import { temporaryFolder, userGit } from './user-repository.ts';

const Steps = z.object({ steps: z.number(), gits: z.number() });

/**
 * Kill a rollback before each of its steps that change something, and in each git; call it again, and expect all to be
 * as if nothing had been killed. @param every only one of so many of these kills
 * @returns how many it was killed
 */
export async function expectWholeAfterKills(build: string, every: number): Promise<number> {
  const { run, folder, commits } = await threeRounds();
  const root = temporaryFolder();
  writeFileSync(join(root, 'state.json'), JSON.stringify({ ...run, to: 1 }));
  const saved = [run.paths.ralphHome, folder].map((each, at) => ({ folder: each, copy: join(root, `saved-${at}`) }));
  for (const each of saved) execFileSync('cp', ['-a', each.folder, each.copy]);
  const roll = (killAt: number, when: 'before' | 'during') => {
    const fixture = join(process.cwd(), 'tests', 'fixtures', 'workspaces', 'phase.mjs');
    const args = [fixture, build, 'rollBack', join(root, 'state.json'), String(killAt), when];
    const { stdout, stderr, signal } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 });
    if (signal === 'SIGKILL') return null;
    if (stdout === '') throw new Error(stderr);
    return Steps.parse(JSON.parse(stdout));
  };
  const whole = roll(0, 'before');
  const kills = [
    ...Array.from({ length: whole?.steps ?? 0 }, (_, at) => [at + 1, 'before'] as const),
    ...Array.from({ length: whole?.gits ?? 0 }, (_, at) => [at + 1, 'during'] as const),
  ];
  const chosen = kills.filter((_, at) => at % every === 0);
  for (const [killAt, when] of chosen) {
    for (const each of saved) {
      rmSync(each.folder, { recursive: true });
      execFileSync('cp', ['-a', each.copy, each.folder]);
    }
    expect(roll(killAt, when)).toBeNull();
    const result = await rollBack({ ...run, to: 1 });
    const state = { killAt, when, refs: refs(folder), standing: await standing(run), result };
    expect(state).toEqual({
      killAt,
      when,
      refs: [`refs/heads/ralph/mend ${commits[1]}`, `${KEPT} ${commits[3]}`],
      standing: ['1 valid', '2 void', '3 void'],
      result: {
        ...result,
        number: 1,
        to: 1,
        abandoned: commits[3],
        ref: 'refs/heads/ralph/mend',
        notes: [],
        done: true,
      },
    });
    expect(userGit(run.paths.repository, 'rev-parse', 'checkpoint', KEPT)).toBe(`${commits[1]}\n${commits[3]}`);
    expect(JSON.parse(readFileSync(run.paths.rollbacks, 'utf8'))).toEqual({ rollbacks: [result] });
  }
  return chosen.length;
}

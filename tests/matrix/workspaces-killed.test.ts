import { buildWorkspaces } from '../workspaces/build-workspaces.ts';
import { phases, stageBefore } from '../workspaces/killed-phase.ts';
import { removeTemporaryFolders } from '../workspaces/user-repository.ts';

const build = buildWorkspaces();
afterAll(() => {
  build.remove();
  removeTemporaryFolders();
});

const cases = phases.flatMap((phase) => (['before', 'during'] as const).map((when) => [phase, when] as const));

test.each(cases)(
  '%s killed %s each of its steps is made whole by calling it again',
  async (phase, when) => {
    const stage = await stageBefore(phase, build.folder);
    const { steps, gits } = stage.run() ?? { steps: 0, gits: 0 };
    const kills = Array.from({ length: when === 'during' ? gits : steps }, (_, at) => at + 1);
    expect(steps).toBeGreaterThan(5);
    for (const killAt of kills) {
      stage.restore();
      expect(stage.run(killAt, when)).toBeNull();
      await stage.expectWhole(stage.run()?.result).catch((error: unknown) => {
        throw new Error(`killed ${when} step ${killAt} of ${steps}`, { cause: error });
      });
    }
  },
  600_000,
);

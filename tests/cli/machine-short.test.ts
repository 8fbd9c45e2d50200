import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { failingBwrap } from '../agents/containment/failing-bwrap.ts';
import { waitFor } from '../support/wait-for.ts';
import { reporting } from './support/agents.ts';
import { makeRepository } from './support/repository.ts';
import { ralph, type Scratch, scratch, start } from './support/ralph.ts';

let place: Scratch;
beforeAll(async () => {
  place = await scratch();
});
afterAll(() => place.remove());

test('a machine that has no room for a process is waited for, and the round is then attempted again', async () => {
  const { home } = place;
  const cwd = makeRepository(path.join(place.folder, 'widgets'), { 'a.txt': 'first\n' });
  const programs = path.join(place.folder, 'programs');
  mkdirSync(programs);
  failingBwrap(programs, 'Creating new namespace failed: Resource temporarily unavailable', 0);
  const env = { PATH: `${programs}:${process.env['PATH'] ?? ''}` };
  const command = `
if [ "$RALPH_ROUND" = 1 ]; then : > armed; until [ -e go ]; do sleep 0.05; done
${reporting({ status: 'continue', summary: 'half of it' })}
else ${reporting({ status: 'complete', summary: 'all of it' })}; fi`;
  const run = start(['run', 'Do it.', '--id', 'short', '--round-attempts', '1', '--command', command], {
    home,
    cwd,
    env,
  });
  const inTree = (name: string): string => path.join(home, 'runs/short/tree', name);
  await waitFor('round 1', 60_000, () => existsSync(inTree('armed')));
  writeFileSync(path.join(programs, 'fails'), 'once\n'.repeat(1_000));
  writeFileSync(inTree('go'), '');
  const shown = async () => JSON.parse((await ralph(['show', 'short', '--json'], { home, cwd, env })).stdout);
  const waiting = await waitFor('the wait', 60_000, async () => {
    const now = await shown();
    return now.status === 'running' ? null : now;
  });
  expect(waiting).toMatchObject({
    status: 'waiting',
    phase: { doing: { why: expect.stringMatching(/machine-short/) } },
  });
  writeFileSync(path.join(programs, 'fails'), '');
  const ended = await run.ended;
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stdout).toMatch(/^✗ round 2\b.*machine-short .*no room for another round.*temporarily unavailable/m);
  expect(ended.stdout).toMatch(/^· round 2, attempt \d+\b.*claims completion/m);
});

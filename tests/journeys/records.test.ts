import { rmSync } from 'node:fs';
import { homePaths } from '../../host/home-paths.ts';
import { here } from '../cli/support/here.ts';
import { place } from '../support/place.ts';
import { done, goOn } from '../support/scripted-agent.ts';

const ralph = place('records');

const story = ralph.story([
  { files: { 'one.txt': '1\n' }, say: 'words of the first', report: goOn('first', ['the second']) },
  { files: { 'two.txt': '2\n' }, say: 'words of the second', report: done('second') },
]);

async function read(): Promise<Record<string, string>> {
  const commands = {
    list: ['list'],
    show: ['show', story.id],
    round: ['show', story.id, '--round', '1'],
    log: ['log', story.id],
    diff: ['diff', story.id],
  };
  const printed: Record<string, string> = {};
  for (const [name, args] of Object.entries(commands)) {
    const { code, stdout, stderr } = await here(args, { home: ralph.home });
    expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: '' });
    printed[name] = stdout;
  }
  return printed;
}

const everything = {
  list: expect.stringMatching(new RegExp(`${story.id}.*complete`)),
  show: expect.stringMatching(/Reach it\.[^]*first[^]*second/),
  round: expect.stringMatching(/the second/),
  log: expect.stringMatching(/words of the first[^]*words of the second/),
  diff: expect.stringMatching(/\+1\n[^]*\+2\n/),
};

test('every round can be read with no worker up, and nothing is started for it', async () => {
  expect(await ralph.ralph(...story.args)).toMatchObject({ code: 0 });
  process.kill(await ralph.worker(), 'SIGTERM');
  expect(await read()).toEqual(everything);
  expect(ralph.workers()).toEqual([]);
});

test("every round can be read when Temporal's database is gone", async () => {
  expect(await ralph.ralph('down')).toMatchObject({ code: 0 });
  rmSync(homePaths(ralph.home).database);
  expect(await read()).toEqual(everything);
  expect(ralph.processes('')).toEqual([]);
  // A new server knows nothing of the run.
  expect(await ralph.ralph('up')).toMatchObject({ code: 0 });
  expect(await read()).toEqual(everything);
  expect(await ralph.ralph('cancel', story.id)).toMatchObject({ code: 0 });
});

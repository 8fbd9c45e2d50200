import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { place, said } from '../support/place.ts';
import { done } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = place('terminal');

test('two commands at the same moment, with nothing up: one server, one worker, two runs', async () => {
  const [one, two] = [ralph.story([{ report: done('one') }]), ralph.story([{ report: done('two') }])];
  const both = await Promise.all([ralph.ralph(...one.args), ralph.ralph(...two.args)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(ralph.servers()).toHaveLength(1);
  expect(ralph.workers()).toHaveLength(1);
});

test('Ctrl-C on a followed run detaches: it says how to watch and how to cancel, and the run goes on', async () => {
  const story = ralph.story([{ sleep: 90, report: done('late') }]);
  const following = ralph.start(...story.args);
  // The run goes on from here, whatever the command has come to.
  await waitFor('the run', 40_000, () => existsSync(story.paths.root));
  following.child.kill('SIGINT');
  const ended = await following.ended;
  expect(ended.code).toBe(0);
  expect(said(ended)).toMatch(new RegExp(`ralph watch ${story.id}[^]*ralph cancel ${story.id}`));
  story.agent.go();
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
});

test.each(['SIGHUP', 'SIGKILL'] as const)('%s to a followed run ends nothing but the command', async (signal) => {
  const story = ralph.story([{ sleep: 90, report: done('late') }]);
  const following = ralph.start(...story.args);
  await story.started(1);
  following.child.kill(signal);
  await following.ended;
  story.agent.go();
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  expect(await story.ledger()).toEqual(['1.1 complete']);
});

test('a terminal that is closed, with server and worker started from it, ends nothing but the command', async () => {
  expect(await ralph.ralph('down')).toMatchObject({ code: 0 });
  const story = ralph.story([{ sleep: 90, report: done('late') }]);
  const entry = path.join(process.cwd(), 'dist', 'cli', 'main.js');
  const quoted = [process.execPath, entry, ...story.args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  // `script` gives the command a terminal of its own, which is hung up when `script` is killed.
  const terminal = spawn('script', ['--quiet', '--command', quoted.join(' '), '/dev/null'], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TEMPORAL_CLI: process.env['TEMPORAL_CLI'],
      RALPH_HOME: ralph.home,
    },
    stdio: 'ignore',
  });
  const gone = once(terminal, 'exit');
  await story.started(1);
  terminal.kill('SIGKILL');
  await gone;
  await waitFor('the end of the command', 10_000, () => ralph.processes('cli/main.js').length === 0);
  story.agent.go();
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  expect(await story.ledger()).toEqual(['1.1 complete']);
});

test('down is refused while a run is live, and names it; forced, the run goes on after the next up', async () => {
  const story = ralph.story([{ leave: 95, sleep: 90 }, { report: done('last') }]);
  await story.detach();
  await story.started(1);
  const refused = await ralph.ralph('down');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(story.id) });
  expect(await ralph.ralph('down', '--force')).toMatchObject({ code: 0 });
  expect(story.alive()).toEqual([]);
  expect(ralph.processes('')).toEqual([]);
  expect(await ralph.ralph('up')).toMatchObject({ code: 0 });
  expect(await ralph.ralph('watch', story.id)).toMatchObject({ code: 0 });
  expect(await story.ledger()).toEqual(['1.1 worker-stopped', '1.2 complete']);
});

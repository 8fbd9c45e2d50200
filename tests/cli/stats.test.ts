import { Readable } from 'node:stream';
import { rm } from 'node:fs/promises';
import { commandLine } from '../../cli/command-line.ts';
import { here } from './support/here.ts';
import { type Scratch, scratch } from './support/ralph.ts';
import { recordRun, runFolder } from './support/recorded-run.ts';
import { screen } from './support/terminals.ts';

let home: string;
let place: Scratch;
beforeAll(async () => {
  place = await scratch();
  ({ home } = place);
});
afterAll(() => place.remove());

test('before there are runs, nothing has been used', async () => {
  expect(await here(['stats'], { home })).toMatchObject({ stdout: 'Nothing has been used.\n', stderr: '', code: 0 });
});

describe('with a run of two rounds, one of which reported its usage', () => {
  beforeAll(() =>
    recordRun({
      home,
      runId: 'widgets-k3f9x',
      rounds: 2,
      objective: 'Migrate',
      summary: 'done',
      transcript: '',
      ended: true,
    }),
  );

  test('the page has sums by agent, day and purpose, and fits a screen of 80 columns', async () => {
    const { terminal, printed } = screen(80);
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], RALPH_HOME: home };
    const argv = ['stats', 'widgets-k3f9x'];
    await commandLine({ argv, env, cwd: process.cwd(), stdin: Readable.from([]), terminal, version: '0.0.0' });
    const lines = printed.stdout.split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(printed.stdout).toMatch(/^Work +1 run, 2 rounds, 2m$/m);
    expect(printed.stdout).toMatch(/^Cached +0% of what models read$/m);
    expect(printed.stdout).toMatch(/^Cost +unknown$/m);
    expect(printed.stdout).toMatch(/^Waited +unknown$/m);
    expect(printed.stdout).toMatch(/^Lines +\+20 −6$/m);
    expect(printed.stdout).toMatch(/^Lines per \$ +unknown$/m);
    expect(printed.stdout).toMatch(/^Engine +5s an attempt \(median\), 10s in all$/m);
    expect(printed.stdout).toMatch(/^command +not set +2 +2m +≥1\.2k +0% +unknown$/m);
    expect(printed.stdout).toMatch(/^2026-01-05 +2 +2m +≥1\.2k/m);
    expect(printed.stdout).toMatch(/^rounds that count +2 +2m/m);
  });

  test('what is unknown is said with its number', async () => {
    const { stderr, code } = await here(['stats'], { home });
    expect(code).toBe(0);
    expect(stderr).toContain(
      '≥: of 2 attempts and checks, the tokens of 1 and the cost of 2 are unknown and not included.',
    );
  });

  test('since later than everything, nothing has been used', async () => {
    const { stdout } = await here(['stats', '--since', '2026-02-01'], { home });
    expect(stdout).toBe('Nothing has been used since then.\n');
  });

  test('--json prints the document, and what cannot be read is named beside it', async () => {
    await rm(`${runFolder(home, 'widgets-k3f9x')}/request.json`);
    const { stdout, stderr } = await here(['stats', '--json'], { home });
    expect(JSON.parse(stdout)).toMatchObject({ runs: 1, unread: [{ runId: 'widgets-k3f9x' }] });
    expect(stderr).toMatch(/^Not counted: widgets-k3f9x: .*request\.json is missing\.$/m);
  });

  test('an unknown run is no run without use', async () => {
    expect(await here(['stats', 'widget'], { home })).toMatchObject({ stdout: '', code: 3 });
  });
});

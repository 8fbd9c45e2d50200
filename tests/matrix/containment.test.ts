import { accessSync, chmodSync, constants, copyFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { waitUntil } from '../../agents/containment/dispose/wait-until.ts';
import { attemptOf, disposeCase, workerKilledCase } from '../agents/containment/disposal-cases.ts';
import { fillSandboxTable } from '../agents/containment/sandbox-table.ts';
import { documentedSandboxTable } from '../agents/containment/sandbox-table-documented.ts';
import {
  buildContainment,
  ORDINARY_UID,
  removeBuild,
  STAND_INS,
  startStandInWorker,
} from '../agents/containment/stand-in-worker.ts';

const isRoot = process.geteuid?.() === 0;
const users = isRoot
  ? [
      { name: 'root', uid: null },
      { name: 'an ordinary user', uid: ORDINARY_UID },
    ]
  : [{ name: 'the user that runs the tests', uid: null }];

const holds = [
  { mechanism: 'bubblewrap', level: 'workspace-write' },
  { mechanism: 'bubblewrap', level: 'full-access' },
  { mechanism: 'subreaper', level: 'full-access' },
] as const;

const RESPAWNERS = ['respawn', 'hotspawn'];
/** Each needs two workers of its own. */
const RESPAWNER_KILLS = 5;
const RESPAWNER_RUNS = 10;
const MATRIX_MS = 600_000;

let build = '';
beforeAll(() => {
  accessSync(process.execPath, constants.X_OK);
  build = buildContainment('/var/cache');
});
afterAll(() => removeBuild(build));

test('the whole matrix is run by root, as root and as an ordinary user', () => {
  expect(users.map(({ name }) => name)).toEqual(['root', 'an ordinary user']);
});

describe.each(users)('as $name', ({ uid }) => {
  test(
    'each sandbox level lets through what docs/sandbox.md says, and nothing else',
    async () => {
      expect(await fillSandboxTable({ build, uid })).toEqual(documentedSandboxTable({ root: isRoot && uid === null }));
    },
    MATRIX_MS,
  );

  describe.each(holds)('$mechanism at $level', (hold) => {
    test.each(['cancel', 'end'] as const)(
      'leaves no survivor of any stand-in when dispose returns: %s',
      async (ending) => {
        const setting = { build, uid, ...hold };
        const worker = await startStandInWorker(setting);
        const findings: Record<string, string | null> = {};
        for (const standIn of STAND_INS) {
          const runs = RESPAWNERS.includes(standIn) ? RESPAWNER_RUNS : 1;
          for (let run = 1; run <= runs; run++) {
            findings[`${standIn} ${run}`] = await disposeCase(worker, setting, { standIn, ending });
          }
        }
        worker.signal('SIGKILL');
        await worker.gone;
        expect(Object.entries(findings).filter(([, finding]) => finding !== null)).toEqual([]);
      },
      MATRIX_MS,
    );

    test(
      'leaves no survivor of any stand-in two seconds after its worker was killed',
      async () => {
        const findings: Record<string, string | null> = {};
        for (const standIn of STAND_INS) {
          const kills = RESPAWNERS.includes(standIn) ? RESPAWNER_KILLS : 1;
          for (let kill = 1; kill <= kills; kill++) {
            findings[`${standIn} ${kill}`] = await workerKilledCase({ build, uid, ...hold }, standIn);
          }
        }
        expect(Object.entries(findings).filter(([, finding]) => finding !== null)).toEqual([]);
      },
      MATRIX_MS,
    );
  });
});

describe('a process that became root under an ordinary user', () => {
  const script = '"$SUID_PYTHON" -c "import os, time; os.setuid(0); open(\'$ARMED\', \'w\').close(); time.sleep(60)"';

  async function run(hold: (typeof holds)[number]) {
    const suidPython = path.join(build, 'suid-python');
    copyFileSync(realpathSync('/usr/bin/python3'), suidPython);
    chmodSync(suidPython, 0o4755);
    const setting = { build, uid: ORDINARY_UID, ...hold };
    const worker = await startStandInWorker(setting);
    const { command, armed } = attemptOf(setting, {
      script: `chmod 777 . "$HOME/../inbox"; (setsid ${script} &); sleep 60`,
    });
    const env = { ...command.env, SUID_PYTHON: suidPython };
    await worker.ask({ start: { mechanism: hold.mechanism, command: { ...command, env } } });
    const becameRoot = await waitUntil(armed, 3_000);
    const { receipt } = await worker.ask({ dispose: { cause: 'cancelled', graceMs: 100, proveMs: 500 } });
    const { fenceFile } = command;
    const later = { fenceFile, cause: 'worker-lost', proveMs: 500 };
    const { receipt: laterReceipt } = await worker.ask({ earlier: later });
    const survivors = worker.survivors();
    for (const survivor of survivors) process.kill(Number.parseInt(survivor, 10), 'SIGKILL');
    worker.signal('SIGKILL');
    await worker.gone;
    return { becameRoot, receipt, laterReceipt, survivors };
  }

  test('cannot be ended by a subreaper, which says so, as does every later attempt', async () => {
    const { becameRoot, receipt, laterReceipt, survivors } = await run({
      mechanism: 'subreaper',
      level: 'full-access',
    });
    expect(becameRoot).toBe(true);
    expect(survivors).toHaveLength(1);
    expect(receipt).toMatchObject({ proof: 'unproved', left: [{ why: expect.stringMatching(/not permitted/) }] });
    expect(laterReceipt).toMatchObject({ proof: 'unproved', left: [{ why: expect.stringMatching(/not permitted/) }] });
  });

  test('does not come to be in a namespace', async () => {
    const { becameRoot, receipt, survivors } = await run({ mechanism: 'bubblewrap', level: 'full-access' });
    expect(becameRoot).toBe(false);
    expect(survivors).toEqual([]);
    expect(receipt?.proof).toBe('namespace-gone');
  });
});

test('a container that never comes up is given up, and nothing of it is left', async () => {
  const folder = path.join(build, 'hanging');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'bwrap'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  const setting = { build, uid: null, mechanism: 'bubblewrap', level: 'workspace-write' } as const;
  const worker = await startStandInWorker({ ...setting, env });
  const { command } = attemptOf(setting, { script: 'true' });
  const { error } = await worker.ask({ start: { mechanism: 'bubblewrap', command } });
  const survivors = worker.survivors();
  worker.signal('SIGKILL');
  await worker.gone;
  expect(error?.message).toMatch(/did not start.*not complete within 30s/);
  expect(survivors).toEqual([]);
});

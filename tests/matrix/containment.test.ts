import { accessSync, constants } from 'node:fs';
import { disposeCase, workerKilledCase } from '../agents/containment/disposal-cases.ts';
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
  { mechanism: 'keeper', level: 'full-access' },
  { mechanism: 'keeper-bubblewrap', level: 'workspace-write' },
] as const;

const RESPAWNERS = ['respawn', 'hotspawn'];
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
      expect(await fillSandboxTable({ build, uid })).toEqual(documentedSandboxTable());
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
          findings[standIn] = await workerKilledCase({ build, uid, ...hold }, standIn);
        }
        expect(Object.entries(findings).filter(([, finding]) => finding !== null)).toEqual([]);
      },
      MATRIX_MS,
    );
  });
});

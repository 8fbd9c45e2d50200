import { makeScratch } from './attempt.ts';
import { fillSandboxTable } from './sandbox-table.ts';
import { documentedSandboxTable } from './sandbox-table-documented.ts';
import { buildContainment } from './stand-in-worker.ts';

const scratch = makeScratch();
afterAll(() => scratch.remove());

test('each sandbox level lets through what docs/sandbox.md says, and nothing else', async () => {
  const build = buildContainment(scratch.folder);
  expect(await fillSandboxTable({ build, uid: null })).toEqual(
    documentedSandboxTable({ root: process.geteuid?.() === 0 }),
  );
}, 120_000);

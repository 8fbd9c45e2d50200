import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { disposeEarlier } from '../../../agents/containment/dispose/dispose-earlier.ts';
import { writeFence } from '../../../agents/containment/dispose/fence.ts';
import { identityOf, isAlive } from '../../../system/processes/process-identity.ts';
import type { Mechanism } from '../../../schemas/round/receipt.ts';
import { makeScratch } from './attempt.ts';

const scratch = makeScratch();
afterAll(() => scratch.remove());

let files = 0;
function newFenceFile(): string {
  return path.join(scratch.folder, `fence-${++files}.json`);
}

/** A fence around a process of this test, as a worker of another time might have left it. */
async function fenceAround(how: {
  mechanism: Mechanism;
  change: (fence: string) => string;
}): Promise<{ fenceFile: string; bystander: { pid: number; startTime: string }; stop: () => Promise<unknown> }> {
  // With a group of its own, as the first process of a shell's job has.
  const child = spawn('sleep', ['60'], { detached: true });
  await once(child, 'spawn');
  const bystander = identityOf(child.pid ?? 0);
  if (bystander === null) throw new Error('no sleep');
  const fenceFile = newFenceFile();
  await writeFence(fenceFile, {
    mechanism: how.mechanism,
    container: [bystander],
    marker: null,
    endFile: null,
    tempFolder: null,
  });
  writeFileSync(fenceFile, how.change(readFileSync(fenceFile, 'utf8')));
  const stop = async (): Promise<unknown> => {
    const exit = once(child, 'exit');
    if (!child.kill('SIGKILL')) return null;
    return await exit;
  };
  return { fenceFile, bystander, stop };
}

const HOW = { cause: 'worker-lost', proveMs: 1_000 } as const;

test('an attempt without a fence is closed: nothing of it was started, and nothing of it can be any more', async () => {
  const fenceFile = newFenceFile();
  expect(await disposeEarlier({ fenceFile, ...HOW })).toMatchObject({ proof: 'nothing-started', left: [] });
  expect(await disposeEarlier({ fenceFile, ...HOW })).toMatchObject({ mechanism: null, proof: 'nothing-started' });
  expect(
    await writeFence(fenceFile, {
      mechanism: 'subreaper',
      container: [],
      marker: null,
      endFile: null,
      tempFolder: null,
    }),
  ).toBe(false);
});

test('a fence that cannot be written leaves the question open, and no attempt may start', async () => {
  const fenceFile = path.join(scratch.folder, 'no-such-folder/fence.json');
  const receipt = await disposeEarlier({ fenceFile, ...HOW });
  expect(receipt.proof).toBe('unproved');
  expect(receipt.left[0]?.why).toMatch(/cannot be known: ENOENT/);
});

test('a fence that cannot be read leaves the question open', async () => {
  const fenceFile = newFenceFile();
  writeFileSync(fenceFile, '{ "kind": "star');
  expect(await disposeEarlier({ fenceFile, ...HOW })).toMatchObject({ proof: 'unproved' });
});

test.each(['', '\0\0\0\0'])('nothing outlives the power cut that emptied its fence', async (left) => {
  const fenceFile = newFenceFile();
  writeFileSync(fenceFile, left);
  expect(await disposeEarlier({ fenceFile, ...HOW })).toMatchObject({ proof: 'observed', left: [] });
});

test.each([
  ['bubblewrap', 'namespace-gone'],
  ['subreaper', 'observed'],
  ['process-group', 'observed'],
] as const)('a process that took over the pid of an earlier one is not touched: %s', async (mechanism, proof) => {
  const { fenceFile, bystander, stop } = await fenceAround({
    mechanism,
    change: (fence) => fence.replace(/("container":\[\{"pid":\d+,"startTime":")\d+/, '$11'),
  });
  expect(await disposeEarlier({ fenceFile, ...HOW })).toMatchObject({ proof, signals: [] });
  expect(isAlive(bystander)).toBe(true);
  await stop();
});

test.each(['keeper', 'keeper-bubblewrap'])(
  'a fence of version 0.1.0 is read by the name that it has there: %s',
  async (old) => {
    const { fenceFile, bystander, stop } = await fenceAround({
      mechanism: 'subreaper',
      change: (fence) => fence.replace('"mechanism":"subreaper"', `"mechanism":"${old}"`),
    });
    expect(await disposeEarlier({ fenceFile, ...HOW })).toMatchObject({ mechanism: 'subreaper', proof: 'observed' });
    expect(isAlive(bystander)).toBe(false);
    await stop();
  },
);

test('the temp folder of an earlier attempt goes with it', async () => {
  const tempFolder = mkdtempSync(path.join(scratch.folder, 'ralph-tmp-'));
  const { fenceFile, stop } = await fenceAround({
    mechanism: 'bubblewrap',
    change: (fence) => fence.replace('"tempFolder":null', `"tempFolder":${JSON.stringify(tempFolder)}`),
  });
  expect(await disposeEarlier({ fenceFile, ...HOW })).toMatchObject({ proof: 'namespace-gone' });
  expect(existsSync(tempFolder)).toBe(false);
  await stop();
});

test('after a reboot nothing of an earlier boot is looked for', async () => {
  const { fenceFile, bystander, stop } = await fenceAround({
    mechanism: 'bubblewrap',
    change: (fence) => fence.replace(/"boot":"[^"]*"/, '"boot":"another"'),
  });
  const proof = readMachineId() === null ? 'observed' : 'host-rebooted';
  expect(await disposeEarlier({ fenceFile, ...HOW })).toMatchObject({ proof, signals: [] });
  expect(isAlive(bystander)).toBe(true);
  await stop();
});

test('what ran on another machine cannot be proved from here', async () => {
  const { fenceFile, stop } = await fenceAround({
    mechanism: 'bubblewrap',
    change: (fence) =>
      fence.replace(/"machine":(null|"[^"]*")/, '"machine":"another"').replace(/"boot":"/, '"boot":"x'),
  });
  const expected = readMachineId() === null ? 'observed' : 'unproved';
  expect(await disposeEarlier({ fenceFile, ...HOW })).toMatchObject({ proof: expected, signals: [] });
  await stop();
});

test('a machine without an id may be another one, so that its new boot proves nothing', async () => {
  const { fenceFile, stop } = await fenceAround({
    mechanism: 'bubblewrap',
    change: (fence) => fence.replace(/"machine":(null|"[^"]*")/, '"machine":null').replace(/"boot":"/, '"boot":"x'),
  });
  expect(await disposeEarlier({ fenceFile, ...HOW })).toMatchObject({ proof: 'observed', signals: [] });
  await stop();
});

test('pids of another pid namespace say less than ours', async () => {
  const { fenceFile, stop } = await fenceAround({
    mechanism: 'bubblewrap',
    change: (fence) =>
      fence.replace(/"pidNamespace":"[^"]*"/, '"pidNamespace":"pid:[1]"').replace(/"startTime":"\d+/, '"startTime":"1'),
  });
  expect(await disposeEarlier({ fenceFile, ...HOW })).toMatchObject({ proof: 'observed' });
  await stop();
});

function readMachineId(): string | null {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim() || null;
  } catch {
    // Not every system has one.
    return null;
  }
}

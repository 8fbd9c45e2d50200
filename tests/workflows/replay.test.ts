import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { bundleOf } from '../support/bundle-of.ts';

Runtime.install({
  logger: new DefaultLogger('ERROR', () => {}),
  telemetryOptions: { logging: { forward: {}, filter: 'OFF' } },
});

const folder = fileURLToPath(new URL('../fixtures/histories', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
const bundles = new Map<string, Promise<string>>();

/** Replay a history on workflow code of this checkout; rejects where the code would now do something else. */
async function replay(name: string, workflows: string): Promise<void> {
  const source = fileURLToPath(new URL(workflows, import.meta.url));
  const bundle = bundles.get(source) ?? bundleOf(source);
  bundles.set(source, bundle);
  const history: unknown = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  await Worker.runReplayHistory({ workflowBundle: { code: await bundle } }, history, name);
}

test.each(names)('a run that began before a change goes on after it: %s replays', async (name) => {
  await expect(replay(name, '../../workflows/index.ts')).resolves.toBeUndefined();
});

test.each(names)(
  'a change that a run under way could not go on with is found: %s does not replay with a step more',
  async (name) => {
    await expect(replay(name, '../fixtures/workflows/changed-loop.ts')).rejects.toThrow(/[Nn]ondeterminism/);
  },
);

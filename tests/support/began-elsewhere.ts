import { mkdirSync, writeFileSync } from 'node:fs';
import { thisHost, type StartedFence } from '../../agents/containment/dispose/fence.ts';
import type { StepPaths } from '../../workspaces/records/run-paths.ts';

/** Leave the fence of what another machine's worker began: nothing here can tell whether it still runs. */
export function beganElsewhere(paths: StepPaths): void {
  mkdirSync(paths.root, { recursive: true });
  const fence: StartedFence = {
    kind: 'started',
    mechanism: 'bubblewrap',
    host: { ...thisHost(), machine: 'another' },
    worker: { pid: 1, startTime: '1' },
    container: [{ pid: 1, startTime: '1' }],
    marker: null,
    endFile: null,
    tempFolder: null,
    at: new Date().toISOString(),
  };
  writeFileSync(paths.fence, JSON.stringify(fence));
}

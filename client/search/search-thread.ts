import { parentPort, workerData } from 'node:worker_threads';
import { scanRuns } from './scan-runs.ts';
import type { ThreadInput } from './search-runs.ts';
import { progressWriter } from './shared-progress.ts';

// The thread that searches: it is given what to search for, and says what it finds. `searchRuns` starts and ends it.
const { ralphHome, query, shared }: ThreadInput = workerData;
for (const event of scanRuns(ralphHome, query, progressWriter(shared))) parentPort?.postMessage(event, []);

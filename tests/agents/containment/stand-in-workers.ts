import { makeScratch } from './attempt.ts';
import { buildContainment, startStandInWorker, type StandInWorker } from './stand-in-worker.ts';

/** For a test file: a folder and a build of the containment, and stand-in workers that end with the test. */
export function standInWorkers() {
  const scratch = makeScratch();
  const workers: StandInWorker[] = [];
  const built = { build: '', uid: null };
  beforeAll(() => {
    built.build = buildContainment(scratch.folder);
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) {
      worker.signal('SIGKILL');
      await worker.gone;
    }
  });
  afterAll(() => scratch.remove());
  return {
    folder: scratch.folder,
    /** Known when the first test begins. */
    built,
    start: async (more: Omit<Parameters<typeof startStandInWorker>[0], 'build' | 'uid'> = {}) => {
      const worker = await startStandInWorker({ ...built, ...more });
      workers.push(worker);
      return worker;
    },
  };
}

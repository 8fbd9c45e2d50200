import { faultsAfter, oddState } from './odd-states.ts';
import { removeTemporaryFolders } from './user-repository.ts';

/** One test a seed. Its title has the seed, and a failure shows what the agent did. */
export function holdsForOddStates(seeds: readonly number[]): void {
  afterEach(removeTemporaryFolders);

  test.each(seeds)('odd state %i of a tree and its repository costs no file, no branch and no round', async (seed) => {
    const scripts = oddState(seed);
    expect({ scripts, faults: await faultsAfter(seed) }).toEqual({ scripts, faults: [] });
  });
}

import { holdsForOddStates } from './odd-states-hold.ts';

// Some of those that tests/long has all of.
holdsForOddStates(Array.from({ length: 8 }, (_, at) => at * 29));

import { holdsForOddStates } from './odd-states-hold.ts';

// Some of those that tests/long has all of.
holdsForOddStates(Array.from({ length: 25 }, (_, at) => at * 9));

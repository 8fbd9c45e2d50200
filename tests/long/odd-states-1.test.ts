import { holdsForOddStates } from '../workspaces/odd-states-hold.ts';

holdsForOddStates(Array.from({ length: 60 }, (_, at) => 0 + at));

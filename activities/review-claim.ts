import type { FinishedReview, ReviewInput } from '../schemas/review.ts';
import type { Machine } from './machine.ts';
import type { TakeTurn } from './one-at-a-time.ts';

export function reviewClaimActivity(_machine: Machine, _takeTurn: TakeTurn) {
  return async (_given: ReviewInput): Promise<FinishedReview> => {
    throw new Error('not built yet');
  };
}

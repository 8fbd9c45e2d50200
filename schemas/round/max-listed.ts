/** A receipt passes through Temporal, which refuses what is too long: of signals and of processes so many are listed. */
export const MAX_LISTED = 64;

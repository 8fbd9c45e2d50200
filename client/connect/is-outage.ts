const AWAY = new Set([
  1, // CANCELLED: the connection was cut in the middle of an answer.
  2, // UNKNOWN: its database fails, as it does on a full disk.
  4, // DEADLINE_EXCEEDED
  8, // RESOURCE_EXHAUSTED
  13, // INTERNAL
  14, // UNAVAILABLE
]);

/** Whether an error of the client means that Temporal is away, starting or ailing, as gRPC's status says. */
export function isOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'number' && AWAY.has(error.code)) return true;
  return 'cause' in error && isOutage(error.cause);
}

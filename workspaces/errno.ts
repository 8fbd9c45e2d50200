/** The system's code of an error (`ENOENT`), or an empty string where it has none. Any realm's errors are understood. */
export function errnoOf(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : '';
}

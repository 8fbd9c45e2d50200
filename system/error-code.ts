/** The system's code of an error (`ENOENT`), or an empty string where it has none. Knows errors of any realm. */
export function errorCode(error: unknown): string {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded && typeof error.code === 'string' ? error.code : '';
}

/** Whether an error is the system's, with that code. */
export const hasCode = (error: unknown, code: string): boolean => errorCode(error) === code;

/** What an error says, for the text of another one. Knows errors of any realm, as `instanceof` does not. */
export function messageOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return hasMessage ? String(error.message) : String(error);
}

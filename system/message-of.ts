/** What an error says, for the text of another one. Knows errors of any realm, as `instanceof` does not. */
export function messageOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return hasMessage ? String(error.message) : String(error);
}

/** Whether an error is the system's, with that code (say ENOENT). Knows errors of any realm, as `instanceof` does not. */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** Where in what an agent wrote half a character stands, which no UTF-8 can hold: "evidence.0"; null: nowhere. */
export function loneSurrogate(value: unknown): string | null {
  if (typeof value === 'string') return /\p{Cs}/u.test(value) ? '' : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const inner = loneSurrogate(item);
    if (inner !== null) return inner === '' ? key : `${key}.${inner}`;
  }
  return null;
}

/** What that breaks, in words. @param name what holds the text */
export function halfCharacter(name: string, path: string): string {
  return `the ${name} is not Unicode text: ${path.slice(0, 80) || name} holds half a character (\\ud800 to \\udfff)`;
}

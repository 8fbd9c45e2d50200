import { parse, type ParseError } from 'jsonc-parser';

/** Most levels of objects and lists in JSON that an agent wrote. What the engine asks for has three. */
export const MAX_DEPTH = 64;

/** How many levels of objects and lists a value of JSON has; "": 0. Not recursive itself: `JSON.parse` takes millions. */
export function nestingOf(value: unknown): number {
  let deepest = 0;
  const open: (readonly [value: unknown, depth: number])[] = [[value, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [inner, depth] = next;
    deepest = Math.max(deepest, depth);
    if (typeof inner !== 'object' || inner === null) continue;
    deepest = Math.max(deepest, depth + 1);
    for (const item of Object.values(inner)) open.push([item, depth + 1]);
  }
  return deepest;
}

/** JSON that an agent wrote. Throws SyntaxError also if it is nested too deep for what walks through it recursively. */
export function parseUntrustedJson(text: string): unknown {
  return notTooDeep(JSON.parse(text));
}

/** The same of settings, which may hold comments and trailing commas. */
export function parseUntrustedSettings(text: string): unknown {
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(text, errors, { allowTrailingComma: true });
  } catch (error) {
    // The parser is recursive.
    if (error instanceof RangeError) throw new SyntaxError('nested too deep', { cause: error });
    throw error;
  }
  if (errors.length > 0) throw new SyntaxError('is not JSON');
  return notTooDeep(value);
}

function notTooDeep(value: unknown): unknown {
  const depth = nestingOf(value);
  if (depth > MAX_DEPTH) throw new SyntaxError(`nested ${depth} levels deep; at most ${MAX_DEPTH} are allowed`);
  return value;
}

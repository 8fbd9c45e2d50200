/** A token of JSON, after white space; what follows it where none is taken. */
const TOKEN =
  /[ \t\r\n]*(?:("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w))|([{}[\],:])|$)/y;
const SPACE = /[ \t\r\n]*/y;
const MAX_SHOWN = 20;

type Expected = keyof typeof WORDS;
const WORDS = {
  value: 'a value',
  item: 'a value or "]"',
  key: 'a key in double quotes',
  first: 'a key in double quotes or "}"',
  colon: '":" after the key',
  more: '"," or "}"',
  next: '"," or "]"',
  end: 'nothing more',
} as const;

/**
 * Where a text stops being JSON: "line 3, column 1: } where a key in double quotes is expected". Null: it does not, as
 * far as is seen here. Programs of the world word that each in their own way, and not all say where.
 */
export function jsonBreak(text: string): string | null {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  for (let at = 0; ;) {
    TOKEN.lastIndex = at;
    const [whole, string, scalar, sign] = TOKEN.exec(text) ?? [];
    if (whole !== undefined && string === undefined && scalar === undefined && sign === undefined) {
      return expected === 'end' ? null : told(text, text.length, expected);
    }
    const after: Expected | null =
      whole === undefined ? null : follows({ open, expected, isString: string !== undefined, sign });
    if (whole === undefined || after === null) return told(text, at, expected);
    expected = after;
    at += whole.length;
  }
}

/** What may come after a token; null: it may not stand here. Opens and closes what it opens and closes. */
function follows({
  open,
  expected,
  isString,
  sign,
}: {
  open: ('{' | '[')[];
  expected: Expected;
  isString: boolean;
  sign: string | undefined;
}): Expected | null {
  const takesValue = expected === 'value' || expected === 'item';
  const takesKey = expected === 'key' || expected === 'first';
  if (sign === undefined) return takesKey && isString ? 'colon' : takesValue ? past(open) : null;
  if (sign === ':') return expected === 'colon' ? 'value' : null;
  if (sign === ',') return expected === 'more' ? 'key' : expected === 'next' ? 'value' : null;
  if (sign === '{' || sign === '[') {
    if (!takesValue) return null;
    open.push(sign);
    return sign === '{' ? 'first' : 'item';
  }
  const mayClose = sign === '}' ? ['first', 'more'] : ['item', 'next'];
  if (!mayClose.includes(expected)) return null;
  open.pop();
  return past(open);
}

function past(open: readonly ('{' | '[')[]): Expected {
  const inside = open.at(-1);
  return inside === undefined ? 'end' : inside === '{' ? 'more' : 'next';
}

function told(text: string, from: number, expected: Expected): string {
  SPACE.lastIndex = from;
  const at = from + (SPACE.exec(text)?.[0].length ?? 0);
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  const found = at >= text.length ? 'it ends' : (/^(?:[\w'"]+|.)/s.exec(text.slice(at, at + MAX_SHOWN))?.[0] ?? '');
  return `line ${before.length}, column ${column}: ${found} where ${WORDS[expected]} is expected`;
}

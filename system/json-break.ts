import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

const MAX_SHOWN = 20;

/** What is wrong with what stands there, by the parser's names. */
const WORDS: Readonly<Record<string, string>> = {
  ValueExpected: 'where a value is expected',
  PropertyNameExpected: 'where a key in double quotes is expected',
  ColonExpected: 'where ":" after the key is expected',
  CommaExpected: 'where "," or the end is expected',
  CloseBraceExpected: 'where "}" is expected',
  CloseBracketExpected: 'where "]" is expected',
  EndOfFileExpected: 'where nothing more is expected',
  InvalidSymbol: 'is no JSON',
  InvalidCommentToken: 'is a comment, which JSON does not have',
  UnexpectedEndOfComment: 'is a comment, which JSON does not have',
  UnexpectedEndOfString: 'is a text without its end',
  UnexpectedEndOfNumber: 'is no number',
  InvalidNumberFormat: 'is no number',
  InvalidUnicode: 'has an escape that JSON does not have',
  InvalidEscapeCharacter: 'has an escape that JSON does not have',
  InvalidCharacter: 'has a character that must be escaped',
};

/**
 * Where a text stops being JSON: "line 3, column 1: } where a key in double quotes is expected". Null: it does not, as
 * far as is seen here. Each engine words the error of `JSON.parse` in its own way, and not all say where.
 */
export function jsonBreak(text: string): string | null {
  const first = firstError(text);
  if (first === null) return null;
  const { error, offset, length } = first;
  const before = text.slice(0, offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  const found =
    offset >= text.length ? 'it ends' : text.slice(offset, offset + Math.min(Math.max(length, 1), MAX_SHOWN));
  return `line ${before.length}, column ${column}: ${found} ${WORDS[printParseErrorCode(error)] ?? 'is no JSON'}`;
}

function firstError(text: string): ParseError | null {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    // Nested deeper than the parser's stack: then no position is known.
    if (error instanceof RangeError) return null;
    throw error;
  }
  return errors[0] ?? null;
}

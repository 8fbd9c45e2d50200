import { existsSync } from 'node:fs';
import { fieldSecrets } from './field-secrets.ts';
import { isTelling, type Secret } from './secret.ts';

const MIN_CHARS = 8;
/** Of what is handed to agents under a name that does not say what it is. */
const MIN_UNNAMED_CHARS = 16;
const MIN_LINE_CHARS = 16;

/** Names of settings, whose values are words that any text may hold. */
const SETTING =
  /(URL|URI|REGION|LOCATION|PROJECT|PROJECT_ID|MODEL|ORGANIZATION|NAME|VERSION|PATH|DIR|HOME|ROOT|FILE|HOST|PORT|LEVEL|MODE|ENV|TOKENS|RETRIES|REGISTRY|PROXY|PREFIX)$|_USE_/i;

/**
 * The secrets of an environment: values whose name tells that they are, what is handed to agents unless its name says
 * that it is a setting, and passwords inside of URLs. Not looked for, as ordinary text would suffer: what is shorter
 * than 8 characters, a plain word shorter than 12, a path of this machine.
 * @param handed names that agents get, or could get at
 */
export function environmentSecrets(
  env: Readonly<Record<string, string | undefined>>,
  handed: ReadonlySet<string>,
): Secret[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [...valueSecrets(name, value.trim(), handed), ...urlSecrets(name, value)];
  });
}

function valueSecrets(name: string, value: string, handed: ReadonlySet<string>): Secret[] {
  const telling = isTelling(name);
  if (!telling && (!handed.has(name) || SETTING.test(name))) return [];
  if (value.length < (telling ? MIN_CHARS : MIN_UNNAMED_CHARS)) return [];
  if (/^[A-Za-z]{1,11}$/.test(value) || (value.startsWith('/') && existsSync(value))) return [];
  // A key of several lines is told line by line, however its line ends are spelled.
  const lines = value.split(/\r?\n|\\n/).map((line) => line.trim());
  const values = lines.length === 1 ? [value] : lines.filter((line) => isKeyLine(line));
  const inside = /header/i.test(name) ? lines.flatMap(headerValue) : [];
  return [...[...values, ...inside].map((one) => ({ name, value: one })), ...fieldSecrets(name, value)];
}

const isKeyLine = (line: string): boolean =>
  line.length >= MIN_LINE_CHARS && !line.startsWith('-----') && /[0-9]/.test(line) && !/\s/.test(line);

function headerValue(line: string): string[] {
  const value = /^[\w-]+:\s*(?:(?:Bearer|Basic|Token)\s+)?(\S{8,})$/i.exec(line)?.[1];
  return value === undefined ? [] : [value];
}

function urlSecrets(name: string, value: string): Secret[] {
  return [...value.matchAll(/:\/\/[^\s/:@]*:([^\s/@]{8,})@/g)].flatMap(([, password]) =>
    password === undefined ? [] : [{ name, value: decoded(password) }],
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded after all: a stray % is the one thing that it throws for.
    return text;
  }
}

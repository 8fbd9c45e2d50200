import { isTelling, type Secret } from './secret.ts';

const MIN_CHARS = 12;
const FIELD = /["']?([A-Za-z0-9_.-]{2,64})["']?\s*[:=]\s*"((?:[^"\\]|\\.)*)"/g;

/**
 * The secrets in a login file, JSON or TOML: strings of fields whose name tells it. A name of an environment's and a URL
 * are none.
 */
export function fieldSecrets(name: string, text: string): Secret[] {
  return [...text.matchAll(FIELD)].flatMap(([, field = '', quoted = '']) => {
    if (!isTelling(field)) return [];
    const value = unescaped(quoted);
    if (value.length < MIN_CHARS || /^[A-Z][A-Z0-9_]*_[A-Z0-9_]*$/.test(value) || /^https?:/.test(value)) return [];
    const lines = value.split('\n').filter((line) => line.length >= MIN_CHARS && !line.startsWith('-----'));
    return lines.map((line) => ({ name, value: line }));
  });
}

function unescaped(quoted: string): string {
  try {
    const value: unknown = JSON.parse(`"${quoted}"`);
    return typeof value === 'string' ? value : quoted;
  } catch {
    // TOML's own escapes: as it stands it is a spelling at least.
    return quoted;
  }
}

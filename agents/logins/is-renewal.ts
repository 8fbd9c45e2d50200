import { parseUntrustedJson } from '../../system/untrusted-json.ts';

/** Fields that a program changes when it renews its login. */
const RENEWED = /token|access|refresh|expir/i;

/**
 * Whether a login file that came out of a sandbox differs from the one that went in by renewed tokens alone. An agent can
 * write it: no field may come or go, nothing may turn into an address or a command.
 */
export function isRenewal(before: string, after: string): boolean {
  return differsInTokens(parsed(before), parsed(after), '');
}

function differsInTokens(before: unknown, after: unknown, field: string): boolean {
  if (isRecord(before) && isRecord(after)) {
    const names = Object.keys(before);
    if (names.length !== Object.keys(after).length) return false;
    return names.every((name) => Object.hasOwn(after, name) && differsInTokens(before[name], after[name], name));
  }
  if (typeof before === 'string' && typeof after === 'string') {
    return before === after || (RENEWED.test(field) && /^[\w.~+/=:|-]+$/.test(after) && !after.includes('://'));
  }
  if (typeof before === 'number' && typeof after === 'number') return before === after || RENEWED.test(field);
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return parseUntrustedJson(text);
  } catch {
    // Not JSON, or nested too deep: no login file that is copied back.
    return undefined;
  }
}

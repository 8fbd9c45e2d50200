/** A value that must not be written down. `name` says in its place what stood there; it is no secret itself. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

const WORDS =
  /(^|[_.-])(API_?KEY|KEYS?|TOKEN|PASS|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE|DSN|PAT|PWD|BEARER|HEADERS|ACCESS|REFRESH)([_.-]|$)/i;
const ANYWHERE = /passw(or)?d|secret|(auth|access|refresh|id|session|bot|api)_?token|api_?key|private_?key/i;

/** Whether a name says that its value is a secret: of an environment, or of a field in a login file. */
export const isTelling = (name: string): boolean => WORDS.test(name) || ANYWHERE.test(name);

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Redactor } from '../../redaction/redactor.ts';
import { growth, LINEAR } from '../support/growth.ts';

/** With all that must be escaped somewhere. */
const VALUE = 'p+a/s"w&rd=\\ü 9Zq-7~x';
const redactor = new Redactor();
redactor.learn([{ name: 'MY_KEY', value: VALUE }]);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base64url = (text: string): string => Buffer.from(text).toString('base64url');
const wrapped = (text: string): string => text.replaceAll(/.{76}/g, '$&\n');
const long = 'k'.repeat(20) + randomBytes(60).toString('hex');
redactor.learn([{ name: 'LONG', value: long }]);

const hexOf = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const escaped = (text: string, by: (code: number) => string): string =>
  Array.from({ length: text.length }, (_, i) => by(text.charCodeAt(i))).join('');
const encodedWhole = (text: string): string => [...Buffer.from(text)].map((byte) => `%${hexOf(byte, 2)}`).join('');

test.each<[string, string]>([
  ['as it is', VALUE],
  ['in JSON', JSON.stringify(VALUE)],
  ['in JSON within JSON', JSON.stringify(JSON.stringify(VALUE))],
  ['in JSON of ASCII', JSON.stringify(VALUE).replace('ü', '\\u00fc')],
  ['URL-encoded', encodeURIComponent(VALUE)],
  ['URL-encoded in small letters', encodeURIComponent(VALUE).replaceAll(/%../g, (hex) => hex.toLowerCase())],
  ['URL-encoded but for the slash', encodeURIComponent(VALUE).replace('%2F', '/')],
  ['as a form encodes it', new URLSearchParams({ q: VALUE }).toString()],
  ['in JSON with every letter escaped', escaped(VALUE, (code) => `\\u${hexOf(code, 4)}`)],
  ['in JSON within JSON, so', JSON.stringify(escaped(VALUE, (code) => `\\u${hexOf(code, 4).toUpperCase()}`))],
  ['with some letters escaped', VALUE.replace('a', '\\u0061').replace('9', '%39').replace('x', '\\x78')],
  ['URL-encoded with every letter', encodedWhole(VALUE)],
  ['in hex', Buffer.from(VALUE).toString('hex')],
  ...[0, 1, 2, 3].flatMap((n): [string, string][] => [
    [`in base64 with ${n} bytes before`, base64(`${'?'.repeat(n)}${VALUE}>>`)],
    [`in base64url with ${n} bytes before`, base64url(`${'?'.repeat(n)}${VALUE}>>`)],
  ]),
  ['in URL-encoded base64', encodeURIComponent(base64(VALUE))],
  ['in base64 of several lines', wrapped(base64(`the key: ${long}`))],
  ['in base64 of several lines, in JSON', JSON.stringify(wrapped(base64(`key: ${long}`)))],
])('finds a value %s', (_, text) => {
  const redacted = redactor.text(`before ${text} after`);
  expect(redacted).toMatch(/^before .{0,20}\[redacted: (MY_KEY|LONG)\].{0,20} after$/s);
});

test('redacts strings and names of fields in JSON, and nothing else of it', () => {
  expect(redactor.json({ a: [1, null, true, `x ${VALUE}`], [VALUE]: { b: 'b' } })).toEqual({
    a: [1, null, true, 'x [redacted: MY_KEY]'],
    '[redacted: MY_KEY]': { b: 'b' },
  });
});

const rsa = `-----BEGIN RSA PRIVATE KEY-----\n${wrapped(randomBytes(400).toString('base64'))}\n-----END RSA PRIVATE KEY-----`;
const word = (n: number): string => randomBytes(n).toString('hex').slice(0, n);

test.each<[string, string]>([
  ['Anthropic key', `sk-ant-api03-${word(90)}-AA`],
  ['OpenAI key', `sk-proj-A1${word(60)}`],
  ['OpenAI key', `sk-${word(48)}`],
  ['GitHub token', `ghp_${word(36)}`],
  ['GitHub token', `github_pat_${word(22)}_${word(59)}`],
  ['AWS key id', 'AKIAIOSFODNN7EXAMPLE'],
  ['Google key', `AIza${word(35)}`],
  ['Slack token', `xoxb-1234567890-${word(24)}`],
  ['npm token', `npm_${word(36)}`],
  ['JWT', [base64url('{"alg":"HS256"}'), base64url('{"sub":"1234567890"}'), word(43)].join('.')],
  ['private key', rsa],
])('knows a %s by its shape', (name, token) => {
  for (const text of [`x=${token}`, `"${JSON.stringify(`\n${token}\n`)}"`, `\x1b[32m${token}\x1b[0m`]) {
    const redacted = redactor.text(text);
    expect(redacted).toContain(`[redacted: ${name}]`);
    expect(redacted).not.toContain(token.slice(12, 30));
  }
});

test('leaves the rest of a private key that was cut off out', () => {
  expect(redactor.text(rsa.slice(0, 300))).toBe('[redacted: private key]');
});

test('leaves ordinary text as it is', () => {
  const texts = [
    createHash('sha1').update('x').digest('hex'),
    createHash('sha256').update('x').digest('hex'),
    randomUUID(),
    `data:image/png;base64,${randomBytes(200_000).toString('base64')}`,
    randomBytes(100_000).toString('base64url'),
    'task-0123456789abcdef0123456789abcdef and desk-proj-a-long-name-for-a-thing',
    'git commit -m "Rotate the password" && npm publish --otp=123456 # key=value, token: none',
    'integrity sha512-' + randomBytes(64).toString('base64'),
    'postgres://user:password@localhost:5432/db',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    'a file that begins with -----BEGIN RSA PRIVATE KEY----- holds a key',
  ];
  for (const text of texts) expect(redactor.text(text)).toBe(text);
});

test('with many secrets, the cost is in proportion to the output', () => {
  const many = new Redactor();
  for (let n = 0; n < 40; n += 1) many.learn([{ name: `K${n}`, value: `sk-ant-api03-${word(95)}` }]);
  const line = `${JSON.stringify({ type: 'text', text: randomBytes(300).toString('base64'), id: randomUUID() })}\n`;
  const look = (lines: number) => many.text(line.repeat(lines));
  expect(look(2_000)).toBe(line.repeat(2_000));
  expect(growth(look, 100)).toBeLessThan(LINEAR);
});

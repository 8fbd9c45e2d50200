import { randomBytes } from 'node:crypto';
import { Redactor } from '../../redaction/redactor.ts';

const VALUE = `Tä${randomBytes(40).toString('hex')}`;
const redactor = new Redactor();
redactor.learn([{ name: 'KEY', value: VALUE }]);

function streamed(bytes: Buffer, pieceBytes: number): Buffer {
  const stream = redactor.stream();
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) out.push(stream.push(bytes.subarray(at, at + pieceBytes)));
  return Buffer.concat([...out, stream.end()]);
}

const unicode = (text: string): string =>
  text.replaceAll(/./g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
const wrapped = (text: string): string => Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\n');
const pem = `-----BEGIN PRIVATE KEY-----\n${randomBytes(300)
  .toString('base64')
  .replaceAll(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;

test.each<[string, string]>([
  ['a value', `one ${VALUE} two\n`],
  ['a value that ends the output', `one ${VALUE}`],
  ['a value in wrapped base64', `${wrapped(`${'x'.repeat(100)}${VALUE}`)}\n`],
  ['a value with every letter escaped in JSON', `"${unicode(VALUE)}"\n`],
  [
    'a value with every byte URL-encoded',
    `?k=${[...Buffer.from(VALUE)].map((byte) => `%${byte.toString(16)}`).join('')}`,
  ],
  ['a private key', pem],
  ['a token', `token ghp_${'a1B2'.repeat(9)} there\n`],
])('hides %s wherever its pieces are cut', (_, text) => {
  const bytes = Buffer.from(text);
  const whole = redactor.text(text);
  expect(whole).toContain('[redacted: ');
  for (let pieceBytes = 1; pieceBytes <= bytes.length; pieceBytes += 1) {
    expect(streamed(bytes, pieceBytes).toString('utf8')).toBe(whole);
  }
});

test('hides a value at every place of one endless line', () => {
  const line = 'x'.repeat(1_000);
  const text = `${line}${VALUE}`.repeat(400);
  for (const pieceBytes of [997, 65_536]) {
    const out = streamed(Buffer.from(text), pieceBytes).toString('utf8');
    expect(out).toBe(`${line}[redacted: KEY]`.repeat(400));
  }
});

test('hands a whole line on at once, and holds little of an endless one', () => {
  const stream = redactor.stream();
  expect(stream.push(Buffer.from('first\nsec')).toString()).toBe('first\n');
  expect(stream.push(Buffer.from('ond\n')).toString()).toBe('second\n');
  let out = 0;
  for (let n = 1; n <= 1_000; n += 1) {
    out += stream.push(Buffer.alloc(1_000, 'y')).length;
    expect(n * 1_000 - out).toBeLessThanOrEqual(66_536);
  }
});

test('keeps every other byte as it was, text or not', () => {
  const bytes = randomBytes(300_000);
  expect(streamed(bytes, 4_001).equals(bytes)).toBe(true);
});

import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { copyHomeFiles, type HomeCopy } from '../../agents/logins/home-files.ts';
import { returnLogins } from '../../agents/logins/return-logins.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('return-logins');
const user = path.join(folder, 'user');
const home = path.join(folder, 'home');
const login = path.join(user, '.claude', '.credentials.json');
const copy = path.join(home, '.claude', '.credentials.json');
const file = { from: login, to: '.claude/.credentials.json', login: true, renews: true };
const tokens = (access: string, more: object = {}): string =>
  JSON.stringify({
    claudeAiOauth: { accessToken: access, refreshToken: `${access}-r`, expiresAt: access.length, plan: 'max', ...more },
  });

let copies: HomeCopy[] = [];
beforeEach(async () => {
  for (const place of [user, home]) rmSync(place, { recursive: true, force: true });
  mkdirSync(path.dirname(login), { recursive: true });
  mkdirSync(home);
  writeFileSync(login, tokens('old'), { mode: 0o640 });
  copies = await copyHomeFiles([file], home);
});

test('a login that the program renewed goes back to the user’s file, whose mode stays', async () => {
  // As the programs do it.
  writeFileSync(`${copy}.tmp`, tokens('a-newer-one'));
  renameSync(`${copy}.tmp`, copy);
  expect(await returnLogins(copies, home)).toEqual([{ from: login, text: tokens('a-newer-one'), kept: null }]);
  expect(readFileSync(login, 'utf8')).toBe(tokens('a-newer-one'));
  expect(statSync(login).mode & 0o777).toBe(0o640);
  expect(readdirSync(path.dirname(login))).toEqual(['.credentials.json']);
});

test('a login that nobody touched is left alone, also where the user’s own program renewed it', async () => {
  writeFileSync(login, tokens('by-the-user'));
  expect(await returnLogins(copies, home)).toEqual([]);
  expect(readFileSync(login, 'utf8')).toBe(tokens('by-the-user'));
});

test('a login that was renewed on both sides stays as the user has it, and that is said', async () => {
  writeFileSync(login, tokens('by-the-user'));
  writeFileSync(copy, tokens('by-the-round'));
  expect(await returnLogins(copies, home)).toMatchObject([{ kept: 'the file has changed meanwhile' }]);
  expect(readFileSync(login, 'utf8')).toBe(tokens('by-the-user'));
});

test('two rounds that end at once do not mix their logins', async () => {
  const other = path.join(folder, 'other');
  mkdirSync(other, { recursive: true });
  const others = await copyHomeFiles([file], other);
  writeFileSync(copy, tokens('one'));
  writeFileSync(path.join(other, file.to), tokens('two-two'));
  const ends = await Promise.all([returnLogins(copies, home), returnLogins(others, other)]);
  expect(ends.flat().filter(({ kept }) => kept === null)).toHaveLength(1);
  expect([tokens('one'), tokens('two-two')]).toContain(readFileSync(login, 'utf8'));
});

test.each<[string, string]>([
  ['another field', tokens('new', { apiKeyHelper: 'sh -c evil' })],
  ['a field of another kind', tokens('new', { expiresAt: 'never' })],
  ['a field that holds no token', tokens('new', { plan: 'none' })],
  ['an address for a token', tokens('https://elsewhere.example.org/')],
  ['white space in a token', tokens('a b')],
  ['no JSON', 'changed by the agent'],
  ['a list', '[]'],
])('%s is not taken for a renewed login', async (_, text) => {
  writeFileSync(copy, text);
  expect(await returnLogins(copies, home)).toMatchObject([{ kept: 'it differs by more than tokens' }]);
  expect(readFileSync(login, 'utf8')).toBe(tokens('old'));
});

test('a link, and a folder that is one, are not followed', async () => {
  const secret = path.join(folder, 'secret.json');
  writeFileSync(secret, tokens('somebody-else'));
  rmSync(copy);
  symlinkSync(secret, copy);
  expect(await returnLogins(copies, home)).toEqual([]);
  const elsewhere = path.join(folder, 'elsewhere');
  mkdirSync(elsewhere, { recursive: true });
  writeFileSync(path.join(elsewhere, '.credentials.json'), tokens('somebody-else'));
  rmSync(path.dirname(copy), { recursive: true });
  symlinkSync(elsewhere, path.dirname(copy));
  expect(await returnLogins(copies, home)).toEqual([]);
  expect(readFileSync(login, 'utf8')).toBe(tokens('old'));
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pages } from './pages.ts';

const outsideFences = (text: string): string => text.replaceAll(/^```[^]*?^```$/gm, '');
const textOf = (page: string): string => outsideFences(readFileSync(page, 'utf8'));

/** As GitHub makes them. */
function anchorsOf(page: string): string[] {
  return Array.from(textOf(page).matchAll(/^#+ (.+)$/gm), ([, title]) =>
    String(title)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isBroken(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : path.join(path.dirname(page), file);
  if (!existsSync(target)) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}

test.each(pages)('every link of %s leads somewhere', (page) => {
  const links = Array.from(textOf(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g), ([, link]) => String(link));
  expect(links.filter((link) => isBroken(page, link))).toEqual([]);
});

test.each(pages)('every file of this repository that %s names is there', (page) => {
  const folders = 'schemas|workflows|activities|agents|workspaces|worker|host|client|cli|tests|scripts|docs|examples';
  const name = new RegExp(`\`((?:${folders})/[\\w./-]+)\``, 'g');
  const named = Array.from(textOf(page).matchAll(name), ([, file]) => String(file));
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
});

/** Folders and files of the tree in AGENTS.md, by their whole path. */
function treeOfAgents(): string[] {
  const tree = /^```\n([^]*?)^```$/m.exec(readFileSync('AGENTS.md', 'utf8'))?.[1] ?? '';
  const at: string[] = [];
  return tree
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      at.splice(line.search(/\S/) / 2);
      const name = path.join(...at, line.trim().split(/\s/)[0] ?? '');
      at.push(path.basename(name));
      return name.replace(/\/$/, '');
    });
}

/** A folder and all below it that hold files. */
function roomsBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const below = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => roomsBelow(path.join(folder, name)));
  return entries.some((entry) => entry.isFile()) ? [folder, ...below] : below;
}

const SOURCES = ['schemas', 'workflows', 'activities', 'agents', 'redaction', 'workspaces', 'system', 'worker'];
const rooms = [...SOURCES, 'host', 'client', 'cli'].flatMap(roomsBelow);

test('everything in the tree of AGENTS.md is there, and every room is in the tree', () => {
  const tree = treeOfAgents();
  expect(tree.filter((name) => !existsSync(name))).toEqual([]);
  const shelves = /^agents\/providers\//;
  expect(rooms.filter((room) => !tree.includes(room) && !shelves.test(room))).toEqual([]);
});

const defines = ({ name, file }: { name: string; file: string }): boolean =>
  new RegExp(`(function|const) ${name}\\b`).test(readFileSync(file, 'utf8'));

test('every function on the way of a round is in the file that docs/architecture.md names, in at most 12 hops', () => {
  const rows = Array.from(
    readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| *(\d*) *\| `(\w+)` *\| `([\w./-]+\.ts)` *\|/gm),
    ([, hop, name, file]) => ({ hop: Number(hop), name: String(name), file: String(file) }),
  );
  expect(rows.map(({ hop }) => hop)).toEqual(Array.from({ length: 13 }, (_, i) => i));
  expect(rows.filter((row) => !defines(row))).toEqual([]);
});

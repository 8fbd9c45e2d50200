import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const pages = [
  'README.md',
  'AGENTS.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name)),
];

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

test('every file in the tree of AGENTS.md is there', () => {
  const tree = /^```\n([^]*?)^```$/m.exec(readFileSync('AGENTS.md', 'utf8'))?.[1] ?? '';
  const missing: string[] = [];
  const at: string[] = [];
  for (const line of tree.split('\n').filter((each) => each.trim() !== '')) {
    const depth = line.search(/\S/) / 2;
    const [words = ''] = line.trim().split(/ {3,}|: /);
    const named = words.match(/[\w.-]+(?:\.(?:ts|mjs|pl|json|md)|\/)(?=\s|;|$)/g) ?? [];
    at.splice(depth);
    missing.push(...named.filter((each) => !existsSync(path.join(...at, each))));
    if (named[0]?.endsWith('/') === true) at.push(named[0]);
  }
  expect(missing).toEqual([]);
  expect(tree).toContain('ralph-loop.ts');
});

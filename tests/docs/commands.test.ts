import { readFileSync } from 'node:fs';
import { program } from '../../cli/program.ts';
import { processTerminal } from '../../cli/terminal/terminal.ts';

const commands = program(
  {
    terminal: processTerminal({}),
    env: {},
    cwd: '/',
    stdin: process.stdin,
    now: () => 0,
    exitWith: () => {},
  },
  '0.0.0',
).commands;
const page = readFileSync('docs/commands.md', 'utf8');

test.each(commands.map((command) => command.name()))('docs/commands.md describes `ralph %s`', (name) => {
  expect(page).toMatch(new RegExp(`\`ralph ${name}\\b`));
});

test('docs/commands.md says which commands print JSON', () => {
  const paragraph = page.split('\n').find((line) => line.includes('take `--json`')) ?? '';
  const named = Array.from(paragraph.split('take `--json`')[0]?.matchAll(/`(\w+)`/g) ?? [], ([, name]) => String(name));
  const able = commands
    .filter(({ options }) => options.some(({ long }) => long === '--json'))
    .map((each) => each.name());
  expect(able.filter((name) => !named.includes(name))).toEqual([]);
});

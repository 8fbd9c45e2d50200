import { readFileSync } from 'node:fs';

/** The rows of the table in docs/sandbox.md, by what a command tries. */
export function documentedSandboxTable(): Record<string, string[]> {
  const rows = readFileSync('docs/sandbox.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
  return Object.fromEntries(rows.slice(2).map(([name, ...cells]) => [name, cells]));
}

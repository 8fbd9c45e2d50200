import { readFileSync } from 'node:fs';

/** The rows of the table in docs/sandbox.md, by what a command tries. A cell "no (root: yes)" depends on the user. */
export function documentedSandboxTable({ root }: { root: boolean }): Record<string, string[]> {
  const rows = readFileSync('docs/sandbox.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
  const forUser = (cell: string): string => {
    const [, user, asRoot] = /^(\w+) \(root: (\w+)\)$/.exec(cell) ?? [null, cell, cell];
    return (root ? asRoot : user) ?? cell;
  };
  return Object.fromEntries(rows.slice(2).map(([name, ...cells]) => [name, cells.map(forUser)]));
}

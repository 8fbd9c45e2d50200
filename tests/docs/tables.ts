/** Rows of every table in a markdown text, as trimmed cells, without heads and rules. */
export function tableRows(markdown: string): string[][] {
  const lines = markdown.split('\n');
  return lines
    .filter((line, at) => line.startsWith('|') && !isRule(line) && !isRule(lines[at + 1] ?? ''))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

const isRule = (line: string): boolean => /^\|[\s|:-]+\|$/.test(line);

/** The text between a heading and the next of its level. */
export function section(markdown: string, heading: string): string {
  const [marks] = heading.split(' ');
  const start = markdown.indexOf(`${heading}\n`);
  if (start === -1) throw new Error(`no heading "${heading}"`);
  const end = markdown.indexOf(`\n${marks} `, start);
  return markdown.slice(start, end === -1 ? undefined : end);
}

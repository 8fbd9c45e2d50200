import { join } from 'node:path';
import { engineGit } from './git.ts';

/** Of the attributes of git those that decide a file's bytes in a checkout, for a git without settings of its own. */
const SHAPING = ['text', 'crlf', 'eol', 'ident', 'working-tree-encoding', 'filter'] as const;

/**
 * Paths, of those that pathspecs name in the later of two commits, to which its `.gitattributes` give another shape in a
 * checkout than those of the earlier one: other line ends, another encoding, expanded keywords.
 * @param scratch an empty folder for this alone
 */
export async function reshapedPaths(asked: {
  gitDir: string;
  from: string;
  to: string;
  pathspecs: readonly string[];
  scratch: string;
}): Promise<string[]> {
  const { gitDir, from, to, pathspecs, scratch } = asked;
  const attributes = [
    'diff-tree',
    '-r',
    '--quiet',
    '--end-of-options',
    from,
    to,
    '--',
    ':(top,icase,glob)**/.gitattributes',
  ];
  const { code } = await engineGit({ gitDir, args: attributes, okCodes: [1] });
  if (code === 0) return [];
  const shapesAt = async (commit: string, names: string | null): Promise<{ file: string; shapes: string[][] }> => {
    const index = join(scratch, commit);
    await engineGit({ gitDir, index, args: ['read-tree', commit] });
    const file = names ?? join(scratch, 'names');
    if (names === null)
      await engineGit({ gitDir, index, args: ['ls-files', '-z', '--', ...pathspecs], stdoutFile: file });
    const args = ['check-attr', '--cached', '-z', '--stdin', ...SHAPING];
    const { stdout } = await engineGit({ gitDir, index, args, stdin: { file }, maxOutputBytes: MAX_BYTES });
    return { file, shapes: shapesOf(stdout) };
  };
  const after = await shapesAt(to, null);
  const before = await shapesAt(from, after.file);
  return after.shapes
    .filter(([, shape], i) => shape !== before.shapes[i]?.[1])
    .map(([path = '']) => Buffer.from(path, 'latin1').toString('utf8'));
}

/** Of very many files; beyond, the check fails and says so. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** Path and shape of each file, from what `check-attr -z` says: path, attribute, value, in the order asked for. */
function shapesOf(said: Buffer): string[][] {
  const words = said.toString('latin1').split('\0');
  const shapes: string[][] = [];
  for (let at = 0; at + SHAPING.length * 3 < words.length + 1; at += SHAPING.length * 3) {
    const [text = '', crlf = '', eol = '', ...others] = SHAPING.map((_, i) => words[at + i * 3 + 2] ?? '');
    const isText = text !== 'unset' && !(text === 'unspecified' && crlf === 'unset');
    const ident = others[0] === 'set' ? 'ident' : '';
    shapes.push([words[at] ?? '', [isText && eol === 'crlf' ? 'crlf' : '', ident, ...others.slice(1)].join('\0')]);
  }
  return shapes;
}

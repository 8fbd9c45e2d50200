import { useState } from 'preact/hooks';
import type { DiffBlock, DiffFile as ParsedFile, DiffLine } from 'diff2html/lib-esm/types.js';

/** More lines than that are shown when somebody asks. */
const LARGE = 400;

/** One file of a diff. It is shown by our own elements; nothing of it ever becomes markup. */
export function DiffFile({ file, isSplit }: { file: ParsedFile; isSplit: boolean }) {
  const lines = file.blocks.reduce((sum, block) => sum + block.lines.length, 0);
  const [isOpen, setIsOpen] = useState(lines <= LARGE);
  const name = file.newName === '/dev/null' ? file.oldName : file.newName;
  const what = file.isNew ? 'new' : file.isDeleted ? 'deleted' : file.isRename ? `from ${file.oldName}` : '';
  return (
    <details class="diff" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <span class="name">{name}</span>
        <span class="what">{what}</span>
        <span class="added">+{file.addedLines}</span>
        <span class="removed">−{file.deletedLines}</span>
      </summary>
      {!isOpen ? null : file.isBinary ? (
        <p class="fine">A binary file.</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label={`Changes of ${name}`}>
          <table class={isSplit ? 'split' : ''}>
            <tbody>
              {file.blocks.map((block, i) =>
                isSplit ? <SplitBlock key={i} block={block} /> : <Block key={i} block={block} />,
              )}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

const SIGNS: Readonly<Record<string, string>> = { insert: '+', delete: '−', context: ' ' };
const textOf = (line: DiffLine): string => line.content.slice(1);

const Block = ({ block }: { block: DiffBlock }) => (
  <>
    <tr class="hunk">
      <td colSpan={4}>{block.header}</td>
    </tr>
    {block.lines.map((line, i) => (
      <tr key={i} class={line.type}>
        <td class="n">{line.oldNumber ?? ''}</td>
        <td class="n">{line.newNumber ?? ''}</td>
        <td class="sign">{SIGNS[line.type]}</td>
        <td class="code">{textOf(line)}</td>
      </tr>
    ))}
  </>
);

const SplitBlock = ({ block }: { block: DiffBlock }) => (
  <>
    <tr class="hunk">
      <td colSpan={4}>{block.header}</td>
    </tr>
    {pairs(block.lines).map(([left, right], i) => (
      <tr key={i}>
        <td class={`n ${left?.type ?? 'empty'}`}>{left?.oldNumber ?? ''}</td>
        <td class={`code ${left?.type ?? 'empty'}`}>{left === null ? '' : textOf(left)}</td>
        <td class={`n ${right?.type ?? 'empty'}`}>{right?.newNumber ?? ''}</td>
        <td class={`code ${right?.type ?? 'empty'}`}>{right === null ? '' : textOf(right)}</td>
      </tr>
    ))}
  </>
);

/** Lines that were removed beside those that took their place. */
function pairs(lines: readonly DiffLine[]): [DiffLine | null, DiffLine | null][] {
  const rows: [DiffLine | null, DiffLine | null][] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = (): void => {
    for (let i = 0; i < Math.max(removed.length, added.length); i += 1)
      rows.push([removed[i] ?? null, added[i] ?? null]);
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.oldNumber === undefined) added.push(line);
    else if (line.newNumber === undefined) removed.push(line);
    else {
      flush();
      rows.push([line, line]);
    }
  }
  flush();
  return rows;
}

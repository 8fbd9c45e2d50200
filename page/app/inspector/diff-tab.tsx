import { useMemo, useState } from 'preact/hooks';
import { parse } from 'diff2html/lib-esm/diff-parser.js';
import { several } from '../../../client/describe/amounts.ts';
import { useDocument } from '../link/use-document.ts';
import { Command } from '../parts/command.tsx';
import { DiffFile } from './diff-file.tsx';

const KEY = 'ralph-diff';

/** What a round, or the whole run, changed, file by file. `round`: null: the whole run. */
export function DiffTab({ runId, round, version }: { runId: string; round: number | null; version: string | number }) {
  const query = round === null ? '' : `?round=${round}`;
  const loaded = useDocument<{ text: string; cut: number }>(
    `/api/runs/${encodeURIComponent(runId)}/diff${query}`,
    version,
  );
  const [isSplit, setIsSplit] = useState(localStorage.getItem(KEY) === 'split');
  const text = loaded.kind === 'there' ? loaded.document.text : '';
  const files = useMemo(() => parse(text), [text]);
  if (loaded.kind === 'loading') return <p class="fine">Reading…</p>;
  if (loaded.kind === 'failed') return <p class="note">{loaded.message}</p>;
  const command = `ralph diff ${runId}${round === null ? '' : ` --round ${round}`}`;
  if (files.length === 0) return <p class="fine">No changes.</p>;
  const added = files.reduce((sum, file) => sum + file.addedLines, 0);
  const removed = files.reduce((sum, file) => sum + file.deletedLines, 0);
  const change = (): void => {
    localStorage.setItem(KEY, isSplit ? 'unified' : 'split');
    setIsSplit(!isSplit);
  };
  return (
    <>
      <div class="head">
        <span>{several(files.length, 'file')}</span>
        <span class="added">+{added}</span>
        <span class="removed">−{removed}</span>
        <button type="button" onClick={change}>
          {isSplit ? 'Unified' : 'Side by side'}
        </button>
      </div>
      {files.map((file, i) => (
        <DiffFile key={`${file.newName}/${i}`} file={file} isSplit={isSplit} />
      ))}
      {loaded.document.cut === 0 ? null : (
        <p class="note">The diff is longer than this page shows: {several(loaded.document.cut, 'character')} more.</p>
      )}
      <p class="fine">The same on the command line:</p>
      <Command command={command} what={null} />
    </>
  );
}

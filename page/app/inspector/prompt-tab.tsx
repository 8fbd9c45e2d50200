import type { LogWindow } from '../../../client/follow/log-window.ts';
import type { AttemptView } from '../../../client/view/round-view.ts';
import { useDocument } from '../link/use-document.ts';

/** The prompt of an attempt, as it was sent. */
export function PromptTab({ runId, round, attempt }: { runId: string; round: number; attempt: AttemptView | null }) {
  const number = attempt?.attempt ?? 1;
  const loaded = useDocument<LogWindow>(
    `/api/runs/${encodeURIComponent(runId)}/rounds/${round}/attempts/${number}/prompt?from=0`,
  );
  if (loaded.kind === 'loading') return <p class="fine">Reading…</p>;
  if (loaded.kind === 'failed') return <p class="note">{loaded.message}</p>;
  const { lines, to, size } = loaded.document;
  if (lines.length === 0) return <p class="fine">No prompt is kept of this attempt.</p>;
  return (
    <>
      <pre class="log prompt">{lines.map(({ text }) => text).join('\n')}</pre>
      {to < size ? <p class="fine">{(size - to).toLocaleString('en-US')} more bytes are in its file.</p> : null}
    </>
  );
}

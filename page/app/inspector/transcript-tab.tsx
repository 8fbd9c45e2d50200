import { useState } from 'preact/hooks';
import type { NamedOutput } from '../../../client/follow/kept-log.ts';
import { replaceRoute, selectedHref } from '../link/route.ts';
import { useDocument } from '../link/use-document.ts';
import type { RunDocument } from '../run/run-document.ts';
import { LogView } from './log-view.tsx';

/** What was printed in a round: by its agent, its gates, its reviewer. `at`: "attempt-1/stdout/1234". */
export function TranscriptTab(props: {
  runId: string;
  round: number;
  at: string | null;
  live: RunDocument['live'];
  version: string;
}) {
  const { runId, round, at, live, version } = props;
  const loaded = useDocument<readonly NamedOutput[]>(
    `/api/runs/${encodeURIComponent(runId)}/rounds/${round}/outputs`,
    version,
  );
  const [isRaw, setIsRaw] = useState(false);
  if (loaded.kind === 'loading') return <p class="fine">Reading…</p>;
  if (loaded.kind === 'failed') return <p class="note">{loaded.message}</p>;
  const choices = loaded.document.flatMap((output) => [
    { output, stream: 'stdout' as const, id: `${output.name}/stdout`, size: output.stdout },
    ...(output.stderr > 0
      ? [{ output, stream: 'stderr' as const, id: `${output.name}/stderr`, size: output.stderr }]
      : []),
  ]);
  const asked =
    at === null
      ? undefined
      : choices.find(({ id, output }) => at.startsWith(`${id}/`) || at === id || at === output.name);
  const chosen =
    asked ?? choices.findLast(({ output }) => output.what === 'agent' || output.what === 'setup') ?? choices.at(-1);
  if (chosen === undefined) return <p class="fine">Nothing was printed.</p>;
  const choose = (id: string): void => replaceRoute(selectedHref(runId, { round, tab: 'transcript', at: id }));
  const line = at === null ? null : /\/(\d+)$/.exec(at.slice(chosen.id.length))?.[1];
  const isLive = live !== null && live.output.round === round && live.output.name === chosen.output.name;
  return (
    <>
      <div class="head">
        <select aria-label="Whose output" value={chosen.id} onChange={(event) => choose(event.currentTarget.value)}>
          {choices.map(({ id, output, stream, size }) => (
            <option value={id} key={id}>
              {nameOf(output)}, {stream} ({sizeText(size)})
            </option>
          ))}
        </select>
        <label class="toggle">
          <input type="checkbox" checked={isRaw} onChange={(event) => setIsRaw(event.currentTarget.checked)} /> raw
        </label>
      </div>
      <LogView
        key={chosen.id}
        path={`/api/runs/${encodeURIComponent(runId)}/rounds/${round}/log?name=${encodeURIComponent(chosen.output.name)}&stream=${chosen.stream}`}
        line={line === undefined || line === null ? null : Number(line)}
        news={isLive && live !== null ? (live.lines.at(-1)?.at ?? 0) : chosen.size}
        isRaw={isRaw}
        hrefOf={(offset) => selectedHref(runId, { round, tab: 'transcript', at: `${chosen.id}/${offset}` })}
      />
    </>
  );
}

function nameOf({ what, attempt, command }: NamedOutput): string {
  switch (what) {
    case 'setup':
      return 'setup';
    case 'agent':
      return `attempt ${attempt}`;
    case 'gates':
      return `gate ${command ?? ''}`;
    case 'review':
      return `review ${attempt}`;
    default:
      return what satisfies never;
  }
}

function sizeText(bytes: number): string {
  if (bytes < 10_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

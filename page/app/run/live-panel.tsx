import { useEffect, useRef } from 'preact/hooks';
import { clock, count, elapsed } from '../../../client/describe/amounts.ts';
import { progressText } from '../../../client/describe/round-words.ts';
import type { RunView } from '../../../client/view/run-view.ts';
import { useNow } from '../parts/use-now.ts';
import type { RunDocument } from './run-document.ts';

const SHOWN = 40;
/** Nearer to the end than this, a reader wants to stay at the end. */
const NEAR_PX = 24;

/** What a live run does right now, and what it prints. */
export function LivePanel({ run, live }: { run: RunView; live: RunDocument['live'] }) {
  const now = useNow(1_000);
  const { phase } = run;
  if (phase.kind !== 'live') return null;
  const { doing, ceilings } = phase;
  const progress = doing.status === 'running' ? doing.attempt : null;
  const check = doing.status === 'checking' ? doing.check : null;
  const until = doing.status === 'waiting' ? doing.until : null;
  return (
    <section class="card live" aria-label="Right now">
      <h2>
        <span class="beat" aria-hidden="true" />
        {progress !== null
          ? progressText(progress, { maxRounds: ceilings.maxRounds, now })
          : check !== null
            ? `${doing.status === 'checking' ? (doing.what ?? 'check') : ''}  ${elapsed(now - Date.parse(check.startedAt))}${check.tokens === null ? '' : `  ${count(check.tokens)} tokens`}`
            : until !== null
              ? `Waits until ${clock(until, now)}: ${elapsed(Date.parse(until) - now)} left`
              : doing.status}
      </h2>
      {live === null ? null : <LiveLines key={`${live.output.round}/${live.output.name}`} live={live} />}
    </section>
  );
}

/** The view stays where its reader is: it moves with new lines only while the reader is at the end. */
function LiveLines({ live: { output, lines } }: { live: NonNullable<RunDocument['live']> }) {
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  const shown = lines.slice(-SHOWN);
  useEffect(() => {
    if (isAtEnd.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [shown.at(-1)?.at, shown.at(-1)?.text]);
  const onScroll = (): void => {
    const { current } = box;
    if (current !== null) isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX;
  };
  return (
    <pre
      ref={box}
      class="log"
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={`What the ${output.what} of round ${output.round} prints`}
      onScroll={onScroll}
    >
      {shown.map(({ at, text, activity }) => (
        <div key={at}>{activity ?? text}</div>
      ))}
    </pre>
  );
}

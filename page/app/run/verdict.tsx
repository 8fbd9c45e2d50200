import type { ComponentChildren } from 'preact';
import type { Description } from '../../../client/describe/describe-ending.ts';
import { notesOf } from '../../../client/describe/about-words.ts';
import { committedSecretsText } from '../../../client/describe/receipt-words.ts';
import { age } from '../../../client/describe/amounts.ts';
import type { RunView, ShownStatus } from '../../../client/view/run-view.ts';
import { Command } from '../parts/command.tsx';
import { Pill } from '../parts/pill.tsx';
import { toneOfStatus } from '../parts/tone.ts';
import { useNow } from '../parts/use-now.ts';

const EVIDENCE_SHOWN = 3;

/** The run in one line, what it is based on, and how to go on: as `ralph why` says it. */
export function Verdict(props: {
  run: RunView & { status: ShownStatus };
  why: Description;
  children: ComponentChildren;
}) {
  const { run, why, children } = props;
  const now = useNow(5_000);
  const { phase, startedAt } = run;
  const endedAt = phase.kind === 'ended' ? phase.endedAt : null;
  const tone = toneOfStatus(run.status);
  return (
    <section class={`verdict edge-${tone}`} aria-label="Verdict">
      <div class="line">
        <Pill tone={tone} text={run.status} />
        <span class="since">
          {endedAt !== null ? `ended ${age(endedAt, now)}` : startedAt !== null ? `started ${age(startedAt, now)}` : ''}
        </span>
      </div>
      <h1>{titleOf(run)}</h1>
      <p class="headline">{why.headline}.</p>
      {why.said.map((text) => (
        <p class="said" key={text}>
          {text}
        </p>
      ))}
      <Evidence evidence={why.evidence} />
      {[committedSecretsText(run.runId, run.rounds), ...notesOf(run)]
        .filter((note) => note !== null && !why.evidence.includes(note))
        .map((note) => (
          <p class="note" key={note}>
            {note}
          </p>
        ))}
      {children}
      <NextCommands next={why.next} />
    </section>
  );
}

const evidenceItem = (text: string) => <li key={text}>{text}</li>;

/** How to go on: the first way at a glance. */
function NextCommands({ next: [first, ...others] }: { next: Description['next'] }) {
  if (first === undefined) return null;
  return (
    <div class="next">
      <Command {...first} />
      {others.length === 0 ? null : (
        <details>
          <summary>{others.length} more on the command line</summary>
          <ul>
            {others.map(({ command, what }) => (
              <li key={command}>
                <Command command={command} what={what} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Evidence({ evidence }: { evidence: readonly string[] }) {
  if (evidence.length === 0) return null;
  return (
    <>
      <ul class="evidence">{evidence.slice(0, EVIDENCE_SHOWN).map(evidenceItem)}</ul>
      {evidence.length <= EVIDENCE_SHOWN ? null : (
        <details class="more-evidence">
          <summary>{evidence.length - EVIDENCE_SHOWN} more</summary>
          <ul class="evidence">{evidence.slice(EVIDENCE_SHOWN).map(evidenceItem)}</ul>
        </details>
      )}
    </>
  );
}

function titleOf({ request, runId }: RunView): string {
  if (request.kind === 'unknown') return runId;
  if (request.kind === 'brief') return request.title;
  return request.request.objective.trim().split('\n', 1)[0] ?? runId;
}

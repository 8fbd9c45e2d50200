import { amountText, clock, cost, count, duration, shortCommit, UNKNOWN } from '../../../client/describe/amounts.ts';
import { changesText, interruptionReason, outcomeText } from '../../../client/describe/round-words.ts';
import type { AttemptView, RoundView } from '../../../client/view/round-view.ts';
import { Command } from '../parts/command.tsx';
import { Pill } from '../parts/pill.tsx';
import { toneOfRound } from '../parts/tone.ts';

/** What the agent reported, and what the round came to. */
export function ReportTab({ runId, view, attempt }: { runId: string; view: RoundView; attempt: AttemptView | null }) {
  const { row, round } = view;
  return (
    <>
      {row === null ? null : (
        <div class="head">
          <Pill tone={toneOfRound(row)} text={row.kind === 'running' ? 'running' : outcomeText(row.outcome)} />
          <span>{clock(row.startedAt, Date.now())}</span>
          {row.kind === 'running' ? null : (
            <>
              <span>{duration(row.durationMs)}</span>
              <span>{amountText(row.tokens, (amount) => `${count(Math.round(amount))} tokens`)}</span>
              <span>{row.costUsd.kind === 'unknown' ? 'cost unknown' : amountText(row.costUsd, cost)}</span>
            </>
          )}
          <span>{changesText(row.changes) ?? ''}</span>
          {row.commit === null ? null : <code>{shortCommit(row.commit)}</code>}
        </div>
      )}
      {attempt === null ? <p class="fine">There was no attempt.</p> : <Outcome attempt={attempt} />}
      <p class="fine">The same on the command line:</p>
      <Command command={`ralph show ${runId} --round ${round}`} what={null} />
    </>
  );
}

function Outcome({ attempt: { outcome } }: { attempt: AttemptView }) {
  switch (outcome.kind) {
    case 'running':
      return <p>{outcome.progress.activity ?? 'It has just begun.'}</p>;
    case 'missing':
      return <p class="note">Its record is missing: it was lost, or its end was not written down yet.</p>;
    case 'damaged':
      return <p class="note">{outcome.problem}</p>;
    case 'there': {
      const { record } = outcome;
      if (record.kind === 'failed') {
        return (
          <section class="fault">
            <h3>{record.fault.code}</h3>
            <p>{record.fault.message}</p>
          </section>
        );
      }
      if (record.kind === 'interrupted') return <p>{interruptionReason(record.by)}</p>;
      const { report } = record;
      return (
        <article class="report">
          <p class="summary">{report.summary}</p>
          <List title="Evidence" items={report.evidence} />
          <List title="Next steps" items={report.nextSteps} />
          {report.blocker === '' ? null : (
            <>
              <h3>Blocker</h3>
              <p>{report.blocker}</p>
            </>
          )}
          {record.agent === null ? <p class="fine">Agent: {UNKNOWN}</p> : null}
        </article>
      );
    }
    default:
      return outcome satisfies never;
  }
}

const List = ({ title, items }: { title: string; items: readonly string[] }) =>
  items.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <ul>
        {items.map((item, i) => (
          <li key={i}>{item}</li>
        ))}
      </ul>
    </>
  );

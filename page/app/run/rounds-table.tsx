import { memo } from 'preact/compat';
import { amountText, cost, count, duration, elapsed } from '../../../client/describe/amounts.ts';
import { changesText, rowWord } from '../../../client/describe/round-words.ts';
import type { CheckRow, RoundRow } from '../../../client/view/round-view.ts';
import { gatesOf } from '../../../client/view/round-view.ts';
import { type PreviousRun, rolledBackRounds, type RunView } from '../../../client/view/run-view.ts';
import { runHref, selectedHref } from '../link/route.ts';
import { Mark } from '../parts/mark.tsx';
import { Notice } from '../parts/notice.tsx';
import { toneOfRound } from '../parts/tone.ts';
import { useNow } from '../parts/use-now.ts';
import { isTrouble } from './is-trouble.ts';

/** The rounds, the latest first. */
export function RoundsTable(props: {
  run: RunView;
  selected: number | null;
  onSelect: (round: number) => void;
  onlyTrouble: boolean;
}) {
  const { run, selected, onSelect, onlyTrouble } = props;
  const now = useNow(1_000);
  const rows = run.rounds.filter((row) => !onlyTrouble || isTrouble(row)).toReversed();
  const rolledBack = rolledBackRounds(run.rollback);
  if (run.rounds.length === 0 && rolledBack.length === 0) return null;
  return (
    <section class="card rounds" aria-label="Rounds">
      <table>
        <thead>
          <tr>
            <th scope="col">Round</th>
            <th scope="col">Result</th>
            <th scope="col" class="number">
              Took
            </th>
            <th scope="col" class="number">
              Tokens
            </th>
            <th scope="col" class="number">
              Cost
            </th>
            <th scope="col" class="changes">
              Changed
            </th>
            <th scope="col">Gates</th>
            <th scope="col" class="summary">
              In its own words
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.round}
              runId={run.runId}
              row={row}
              gates={gatesText(run.checks, row.round)}
              isSelected={row.round === selected}
              onSelect={onSelect}
              now={row.kind === 'running' ? now : 0}
            />
          ))}
        </tbody>
        {onlyTrouble
          ? null
          : run.chain.previous.toReversed().map((each) => <PreviousRounds key={each.runId} previous={each} />)}
      </table>
      {rows.length === 0 ? <Notice title="No round was rejected or failed" /> : null}
      {rolledBack.length === 0 ? null : (
        <p class="fine">
          {rolledBack.length} more were rolled back: {rolledBack.map(({ round }) => round).join(', ')}.
        </p>
      )}
    </section>
  );
}

/** The rounds of a run that this one continues: one history. Each leads to its own run. */
function PreviousRounds({ previous: { runId, status, rounds } }: { previous: PreviousRun }) {
  return (
    <tbody class="previous">
      <tr>
        <th scope="rowgroup" colSpan={8}>
          continues <a href={runHref(runId)}>{runId}</a>, which ended as {status}
        </th>
      </tr>
      {rounds.toReversed().map((row) => (
        <Row
          key={row.round}
          runId={runId}
          row={row}
          gates=""
          isSelected={false}
          onSelect={(round) => void (location.hash = selectedHref(runId, { round, tab: 'report', at: null }))}
          now={0}
        />
      ))}
    </tbody>
  );
}

const Row = memo(function Row(props: {
  runId: string;
  row: RoundRow;
  gates: string;
  isSelected: boolean;
  onSelect: (round: number) => void;
  now: number;
}) {
  const { runId, row, gates, isSelected, onSelect, now } = props;
  const { round } = row;
  return (
    <tr class={isSelected ? 'selected' : ''} data-round={round} onClick={() => onSelect(round)}>
      <th scope="row">
        <a
          href={selectedHref(runId, { round, tab: 'report', at: null })}
          aria-current={isSelected ? 'true' : undefined}
        >
          {round}
        </a>
        {row.attempts > 1 ? (
          <span class="tries" title={`${row.attempts} attempts`}>
            ×{row.attempts}
          </span>
        ) : null}
      </th>
      <td class={`result tone-${toneOfRound(row)}`}>
        <Mark tone={toneOfRound(row)} /> {rowWord(row)}
      </td>
      <td class="number">
        {row.kind === 'running' ? elapsed(now - Date.parse(row.startedAt)) : duration(row.durationMs)}
      </td>
      <td class="number">
        {row.kind === 'running' ? '' : amountText(row.tokens, (amount) => count(Math.round(amount)))}
      </td>
      <td class="number">{row.kind === 'running' ? '' : amountText(row.costUsd, cost)}</td>
      <td class="changes">{changesText(row.changes) ?? ''}</td>
      <td>{gates}</td>
      <td class="summary">{row.kind === 'running' ? (row.doing ?? '') : row.summary}</td>
    </tr>
  );
});

/** "2/3" of the last run of the gates of a round, or nothing where none ran. */
function gatesText(checks: readonly CheckRow[], round: number): string {
  const last = checks.findLast((each) => each.check === 'gates' && each.round === round);
  if (last === undefined) return '';
  if (last.outcome.kind === 'under-way') return '…';
  const gates = gatesOf(last);
  if (gates.length === 0) return last.outcome.kind === 'rejected' ? '✗' : '';
  const passed = gates.filter(({ result }) => result !== 'failed').length;
  return `${passed === gates.length ? '✓' : '✗'} ${passed}/${gates.length}`;
}

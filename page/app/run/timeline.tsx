import { useMemo } from 'preact/hooks';
import { clock, duration } from '../../../client/describe/amounts.ts';
import { checkText } from '../../../client/describe/check-words.ts';
import { outcomeText, roundText } from '../../../client/describe/round-words.ts';
import type { CheckOutcome, RoundRow } from '../../../client/view/round-view.ts';
import type { RunView } from '../../../client/view/run-view.ts';
import { type Tone, toneOfOutcome, toneOfRound } from '../parts/tone.ts';
import { useNow } from '../parts/use-now.ts';
import { useWidth } from '../parts/use-width.ts';
import { isTrouble } from './is-trouble.ts';
import { type Span, timeAxis } from './time-axis.ts';

interface Bar extends Span {
  readonly lane: Lane;
  readonly tone: Tone;
  readonly round: number;
  readonly text: string;
  readonly isTrouble: boolean;
}

const LANES = ['rounds', 'attempts', 'gates', 'review', 'waits'] as const;
type Lane = (typeof LANES)[number];
const LANE_PX = 22;
const BAR_PX = 15;
const LEAST_PX = { rounds: 2, attempts: 2, gates: 5, review: 5, waits: 5 } as const;
const TICKS = 6;
const TICK_PX = 110;

/** When what happened: a bar for every round, attempt, check and wait on one axis, on which idle times are folded. */
export function Timeline(props: {
  run: RunView;
  selected: number | null;
  onSelect: (round: number) => void;
  onlyTrouble: boolean;
  onOnlyTrouble: (only: boolean) => void;
}) {
  const { run, selected, onSelect, onlyTrouble, onOnlyTrouble } = props;
  const { ref, width } = useWidth<HTMLDivElement>();
  const isLive = run.phase.kind === 'live';
  const tick = useNow(isLive ? 1_000 : 60_000);
  const now = isLive ? tick : endOf(run);
  const bars = useMemo(() => barsOf(run, now), [run, now]);
  const axis = useMemo(() => timeAxis(bars, { width, until: now }), [bars, width, now]);
  if (bars.length === 0) return null;
  const lanes = LANES.filter((lane) => bars.some((bar) => bar.lane === lane));
  const ticks = Math.max(2, Math.min(TICKS, Math.floor(width / TICK_PX)));
  const onClick = (event: MouseEvent): void => {
    const round = event.target instanceof Element ? event.target.getAttribute('data-round') : null;
    if (round !== null) onSelect(Number(round));
  };
  return (
    <section class="card timeline" aria-label="Time line">
      <header>
        <h2>Time</h2>
        <label class="toggle">
          <input
            type="checkbox"
            checked={onlyTrouble}
            onChange={(event) => onOnlyTrouble(event.currentTarget.checked)}
          />
          Only rejected or failed
        </label>
      </header>
      <div class="lanes">
        <ol class="names" aria-hidden="true">
          {lanes.map((lane) => (
            <li key={lane}>{lane}</li>
          ))}
        </ol>
        <div ref={ref} class="axis">
          <svg
            width={width}
            height={lanes.length * LANE_PX + 22}
            role="img"
            aria-label={`${run.rounds.length} rounds from ${clock(new Date(axis.at(0)).toISOString(), null)}; the table below has each.`}
            onClick={onClick}
          >
            {axis.folds.map(({ x, width: wide, ms }) => (
              <g key={x} class="fold">
                <rect x={x + 2} y={0} width={Math.max(0, wide - 4)} height={lanes.length * LANE_PX} />
                <title>{`nothing for ${duration(ms)}`}</title>
              </g>
            ))}
            {bars.map((bar) => {
              const x = axis.x(bar.from);
              const wide = Math.max(LEAST_PX[bar.lane], axis.x(bar.to) - x - 1);
              const isFaint = onlyTrouble && !bar.isTrouble;
              return (
                <rect
                  key={`${bar.lane}/${bar.round}/${bar.from}`}
                  class={`bar tone-${bar.tone} ${bar.lane} ${bar.round === selected ? 'selected' : ''} ${isFaint ? 'faint' : ''}`}
                  x={Math.min(x, width - wide)}
                  y={lanes.indexOf(bar.lane) * LANE_PX + (LANE_PX - BAR_PX) / 2}
                  width={wide}
                  height={BAR_PX}
                  rx={Math.min(3, wide / 2)}
                  data-round={bar.round}
                >
                  <title>{bar.text}</title>
                </rect>
              );
            })}
            {Array.from({ length: ticks }, (_, i) => {
              const x = (i / (ticks - 1)) * width;
              return (
                <text
                  key={i}
                  class="tick"
                  x={x}
                  y={lanes.length * LANE_PX + 16}
                  text-anchor={i === 0 ? 'start' : i === ticks - 1 ? 'end' : 'middle'}
                >
                  {clock(new Date(axis.at(x)).toISOString(), now)}
                </text>
              );
            })}
          </svg>
        </div>
      </div>
    </section>
  );
}

function endOf({ phase, rounds, startedAt }: RunView): number {
  if (phase.kind === 'ended' && phase.endedAt !== null) return Date.parse(phase.endedAt);
  const last = rounds.at(-1);
  return Date.parse(
    (last?.kind === 'ended' ? last.endedAt : last?.startedAt) ?? startedAt ?? new Date(0).toISOString(),
  );
}

function barsOf(run: RunView, now: number): Bar[] {
  const bars: Bar[] = [];
  const rows = new Map(run.rounds.map((row) => [row.round, row]));
  for (const row of run.rounds) {
    const ends = row.kind === 'ended' ? Date.parse(row.endedAt) : now;
    const about = { round: row.round, isTrouble: isTrouble(row) };
    const took = duration(ends - Date.parse(row.startedAt));
    bars.push({
      ...about,
      lane: 'rounds',
      tone: toneOfRound(row),
      from: Date.parse(row.startedAt),
      to: ends,
      text: `${roundText(row)} (${took})`,
    });
  }
  if (run.rounds.some(({ attempts }) => attempts > 1)) bars.push(...run.rounds.flatMap((row) => attemptBars(row, now)));
  for (const check of run.checks) {
    const { took, outcome, round } = check;
    if (took === null) continue;
    const of = rows.get(round);
    bars.push({
      lane: check.check,
      tone: CHECK_TONES[outcome.kind],
      round,
      from: Date.parse(took.startedAt),
      to: Date.parse(took.endedAt),
      text: checkText(check),
      isTrouble: outcome.kind === 'rejected' || outcome.kind === 'failed' || (of !== undefined && isTrouble(of)),
    });
  }
  const { phase } = run;
  if (phase.kind === 'live' && phase.doing.status === 'waiting' && phase.doing.until !== null) {
    const from = lastEnd(run.rounds) ?? now;
    const to = Math.max(now, from);
    bars.push({
      lane: 'waits',
      tone: 'warn',
      round: phase.doing.round,
      from,
      to,
      text: phase.doing.why ?? 'waiting',
      isTrouble: true,
    });
  }
  return bars;
}

function attemptBars(row: RoundRow, now: number): Bar[] {
  const about = { lane: 'attempts', round: row.round } as const;
  const ended = row.tries.map(({ attempt, outcome, startedAt, endedAt }): Bar => {
    const [from, to] = [Date.parse(startedAt), Date.parse(endedAt)];
    const text = `round ${row.round}, attempt ${attempt}: ${outcomeText(outcome)} (${duration(to - from)})`;
    return { ...about, from, to, text, tone: toneOfOutcome(outcome), isTrouble: outcome.kind === 'fault' };
  });
  if (row.kind === 'ended') return ended;
  const from = ended.at(-1)?.to ?? Date.parse(row.startedAt);
  return [
    ...ended,
    { ...about, from, to: now, text: `round ${row.round}, attempt ${row.attempts}`, tone: 'go', isTrouble: false },
  ];
}

const lastEnd = (rounds: readonly RoundRow[]): number | null => {
  const last = rounds.findLast((row) => row.kind === 'ended');
  return last?.kind === 'ended' ? Date.parse(last.endedAt) : null;
};

const CHECK_TONES = {
  baseline: 'plain',
  accepted: 'good',
  rejected: 'bad',
  failed: 'bad',
  interrupted: 'idle',
  'under-way': 'go',
} as const satisfies Record<CheckOutcome['kind'], Tone>;

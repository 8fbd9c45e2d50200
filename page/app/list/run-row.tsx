import { memo } from 'preact/compat';
import { folderName, listedStatus } from '../../../client/describe/about-words.ts';
import { age, amountText, cost, UNKNOWN } from '../../../client/describe/amounts.ts';
import { runHref } from '../link/route.ts';
import { Meter } from '../parts/meter.tsx';
import { Pill } from '../parts/pill.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { toneOfStatus } from '../parts/tone.ts';
import type { ListedRun } from './list-document.ts';

/** One run of the list. */
export const RunRow = memo(function RunRow({
  listed,
  now,
  isCurrent,
}: {
  listed: ListedRun;
  now: number;
  isCurrent: boolean;
}) {
  const { run, digest } = listed;
  const { runId, about, progress, status } = run;
  const used = progress === null ? null : progress.round + progress.rolledBack;
  return (
    <li class={isCurrent ? 'current' : ''} data-run={runId}>
      <a href={runHref(runId)} class="run-row" aria-current={isCurrent ? 'true' : undefined}>
        <span class="state">
          <Pill tone={toneOfStatus(status)} text={listedStatus(run, now)} />
          <span class="since">{sinceText(listed, now)}</span>
        </span>
        <span class="about">
          <span class="title">{about === null ? UNKNOWN : about.title}</span>
          <span class="where">
            <b>{runId}</b>
            {about === null ? null : <span>{folderName(about.repository)}</span>}
            {about === null ? null : <span>{about.agent}</span>}
            {run.continues === null ? null : <span>continues {run.continues}</span>}
          </span>
        </span>
        <span class="used">
          <Meter
            name="Round"
            text={progress === null ? UNKNOWN : `${used} of ${progress.maxRounds}`}
            share={progress === null || used === null ? null : used / progress.maxRounds}
          />
        </span>
        <span class="spent">{costCell(listed)}</span>
        <span class="lines">{digest === null ? null : <Sparkline lines={digest.lines} />}</span>
      </a>
    </li>
  );
});

function costCell({ digest }: ListedRun) {
  if (digest === null) return null;
  const { spend, ceilings } = digest;
  const most = ceilings?.budgets.maxCostUsd ?? null;
  const spent = spend.kind === 'unknown' ? UNKNOWN : amountText(spend.costUsd, cost);
  const amount = spend.kind === 'known' && spend.costUsd.kind === 'known' ? spend.costUsd.amount : null;
  return (
    <Meter
      name="Cost"
      text={most === null ? spent : `${spent} of ${cost(most)}`}
      share={most === null || amount === null ? null : amount / most}
    />
  );
}

/** Since when it is so: of a run that has ended, when it ended; of a live one, when something happened last. */
function sinceText({ run, digest }: ListedRun, now: number): string {
  const { phase, startedAt } = run;
  if (phase.kind === 'ended' && phase.endedAt !== null) return age(phase.endedAt, now);
  const at = digest?.lastAt ?? startedAt;
  return at === null ? UNKNOWN : `last activity ${age(at, now)}`;
}

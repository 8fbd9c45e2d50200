import type { ListedRun } from './list-document.ts';

export const GROUPS = ['all', 'live', 'needs you', 'ended'] as const;
export type Group = (typeof GROUPS)[number];

export interface Filter {
  readonly text: string;
  readonly group: Group;
  /** A path; empty: all. */
  readonly repository: string;
}

export const filterRuns = (runs: readonly ListedRun[], filter: Filter): readonly ListedRun[] =>
  runs.filter((listed) => isInGroup(listed, filter.group) && isOf(listed, filter) && hasText(listed, filter.text));

export function isInGroup({ run }: ListedRun, group: Group): boolean {
  switch (group) {
    case 'all':
      return true;
    case 'live':
      return run.phase.kind === 'live';
    case 'ended':
      return run.phase.kind === 'ended';
    case 'needs you':
      return NEEDS_YOU.has(run.status);
    default:
      return group satisfies never;
  }
}

/** What goes no further without a person. */
const NEEDS_YOU = new Set<string>([
  'blocked',
  'paused',
  'budget-limited',
  'stalled',
  'round-failed',
  'failed',
  'unknown',
]);

const isOf = ({ run }: ListedRun, { repository }: Filter): boolean =>
  repository === '' || run.about?.repository === repository;

function hasText({ run }: ListedRun, text: string): boolean {
  const all =
    `${run.runId} ${run.status} ${run.about?.title ?? ''} ${run.about?.repository ?? ''} ${run.about?.agent ?? ''}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

export const repositoriesOf = (runs: readonly ListedRun[]): readonly string[] =>
  [...new Set(runs.flatMap(({ run }) => run.about?.repository ?? []))].toSorted();

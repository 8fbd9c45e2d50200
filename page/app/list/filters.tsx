import type { RefObject } from 'preact';
import { type Filter, GROUPS, isInGroup, repositoriesOf } from './filter-runs.ts';
import type { ListedRun } from './list-document.ts';

/** Which runs are shown. */
export function Filters(props: {
  runs: readonly ListedRun[];
  filter: Filter;
  onFilter: (filter: Filter) => void;
  input: RefObject<HTMLInputElement | null>;
}) {
  const { runs, filter, onFilter, input } = props;
  const repositories = repositoriesOf(runs);
  return (
    <search class="filters">
      <div class="groups" role="group" aria-label="Which runs">
        {GROUPS.map((group) => (
          <button
            type="button"
            key={group}
            aria-pressed={filter.group === group}
            onClick={() => onFilter({ ...filter, group })}
          >
            {group} <span class="count">{runs.filter((each) => isInGroup(each, group)).length}</span>
          </button>
        ))}
      </div>
      {repositories.length < 2 ? null : (
        <select
          aria-label="Repository"
          value={filter.repository}
          onChange={(event) => onFilter({ ...filter, repository: event.currentTarget.value })}
        >
          <option value="">All repositories</option>
          {repositories.map((each) => (
            <option value={each} key={each}>
              {each.split('/').at(-1)}
            </option>
          ))}
        </select>
      )}
      <input
        ref={input}
        type="search"
        placeholder="Filter  ( / )"
        aria-label="Filter by id, objective, status, agent"
        value={filter.text}
        onInput={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
    </search>
  );
}

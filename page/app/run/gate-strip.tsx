import { gateText } from '../../../client/describe/check-words.ts';
import { gatesOf, type GateLine } from '../../../client/view/round-view.ts';
import type { RunView } from '../../../client/view/run-view.ts';

/** A row for each gate, a cell for each round whose claim it checked. */
export function GateStrip(props: {
  run: RunView;
  rounds: readonly number[];
  selected: number | null;
  onSelect: (round: number) => void;
}) {
  const { run, selected, onSelect } = props;
  const checks = run.checks.filter(({ check, round }) => check === 'gates' && round > 0);
  const commands = [...new Set(checks.flatMap((check) => gatesOf(check).map(({ command }) => command)))];
  if (commands.length === 0) return null;
  const claimed = [...new Set(checks.map(({ round }) => round))];
  const lineOf = (command: string, round: number): GateLine | undefined => {
    const last = checks.findLast((check) => check.round === round);
    return last === undefined ? undefined : gatesOf(last).find((gate) => gate.command === command);
  };
  return (
    <figure class="plot gates">
      <figcaption>
        <b>Gates</b>
        <span>of rounds that claimed completion</span>
      </figcaption>
      {commands.map((command) => (
        <div class="strip" key={command}>
          <code>{command}</code>
          <div class="cells">
            {claimed.map((round) => {
              const line = lineOf(command, round);
              const said = line === undefined ? 'did not run' : gateText(line);
              return (
                <button
                  type="button"
                  key={round}
                  class={`cell ${line?.result ?? 'none'} ${round === selected ? 'selected' : ''}`}
                  title={`round ${round}: ${said}`}
                  aria-label={`round ${round}: ${said}`}
                  onClick={() => onSelect(round)}
                />
              );
            })}
          </div>
        </div>
      ))}
    </figure>
  );
}

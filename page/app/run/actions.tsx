import { useState } from 'preact/hooks';
import type { Description } from '../../../client/describe/describe-ending.ts';
import { receiptLines } from '../../../client/describe/receipt-words.ts';
import type { RunView } from '../../../client/view/run-view.ts';
import { type Action, actionsOf } from './action-list.ts';
import { ActionDialog } from './action-dialog.tsx';

/** What a person can do with the run; each is asked once. */
export function Actions({ run, next }: { run: RunView; next: Description['next'] }) {
  const [asked, setAsked] = useState<Action | null>(null);
  const [said, setSaid] = useState<readonly string[]>([]);
  const { phase } = run;
  const receipt = phase.kind === 'ended' ? phase.receipt : null;
  const onDone = (lines: readonly string[]): void => {
    setAsked(null);
    setSaid(lines);
  };
  return (
    <>
      <div class="actions" role="group" aria-label="Actions">
        {actionsOf(run, next).map((action) => (
          <button
            type="button"
            key={action.label}
            class={action.isDanger ? 'danger' : ''}
            onClick={() => setAsked(action)}
          >
            {action.label}
          </button>
        ))}
      </div>
      <div class="said-back" role="status">
        {said.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {receipt === null ? null : (
          <p class="receipt">
            <b>Disposal</b> {receiptLines(receipt).join('; ')}
          </p>
        )}
      </div>
      {asked === null ? null : <ActionDialog run={run} action={asked} onClose={() => setAsked(null)} onDone={onDone} />}
    </>
  );
}

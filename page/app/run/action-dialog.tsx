import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunView } from '../../../client/view/run-view.ts';
import { shellWord } from '../../../system/shell-word.ts';
import { ApiProblem, post } from '../link/api.ts';
import { runHref } from '../link/route.ts';
import { Command } from '../parts/command.tsx';
import type { Action } from './action-list.ts';
import { BudgetFields, type BudgetAsked, budgetBody, budgetFlags, NOTHING_ADDED } from './budget-fields.tsx';

interface Done {
  readonly lines: readonly string[];
  readonly notes: readonly string[];
  readonly runId: string | null;
}

/** Asks once, says what it does in the words of the command line, and shows the command that does the same. */
export function ActionDialog(props: {
  run: RunView;
  action: Action;
  onClose: () => void;
  onDone: (lines: readonly string[]) => void;
}) {
  const { run, action, onClose, onDone } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [added, setAdded] = useState<BudgetAsked>(NOTHING_ADDED);
  const [state, setState] = useState<{ kind: 'asking' } | { kind: 'sent' } | { kind: 'failed'; message: string }>({
    kind: 'asking',
  });
  useEffect(() => dialog.current?.showModal(), []);
  const { asks } = action;
  const flags =
    asks === 'budget' ? budgetFlags(added) : asks === null || text === '' ? '' : ` --${asks} ${shellWord(text)}`;
  const send = async (): Promise<void> => {
    setState({ kind: 'sent' });
    const body =
      asks === 'budget' ? budgetBody(added) : asks === null ? action.body : { [asks]: text === '' ? null : text };
    try {
      const { lines, notes, runId } = await post<Done>(
        `/api/runs/${encodeURIComponent(run.runId)}/${action.verb}`,
        body,
      );
      onDone([...notes, ...lines]);
      if (runId !== null) location.hash = runHref(runId);
    } catch (error) {
      setState({ kind: 'failed', message: error instanceof ApiProblem ? error.message : String(error) });
    }
  };
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="asked">
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <h2 id="asked">
          {action.label}: {run.runId}
        </h2>
        <p>{`${action.does.charAt(0).toUpperCase()}${action.does.slice(1)}.`}</p>
        {asks === 'budget' ? <BudgetFields run={run} added={added} onAdded={setAdded} /> : null}
        {asks === 'reason' || asks === 'note' ? (
          <label class="field">
            {asks === 'reason' ? 'Why, for the record' : 'Tell the next round something first'}
            <textarea rows={2} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          </label>
        ) : null}
        <p class="fine">The same on the command line:</p>
        <Command command={action.command + flags} what={null} />
        {state.kind === 'failed' ? (
          <p class="note" role="alert">
            {state.message}
          </p>
        ) : null}
        <div class="buttons">
          <button type="button" onClick={onClose}>
            Leave it
          </button>
          <button type="submit" class={action.isDanger ? 'danger' : 'primary'} disabled={state.kind === 'sent'}>
            {state.kind === 'sent' ? 'Sent…' : action.label}
          </button>
        </div>
      </form>
    </dialog>
  );
}

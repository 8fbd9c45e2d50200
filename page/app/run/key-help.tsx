import { useEffect, useRef } from 'preact/hooks';

const KEYS = [
  ['j k', 'next and previous round, or run'],
  ['e', 'next round that was rejected or failed'],
  ['f', 'only those'],
  ['d', 'diff'],
  ['t', 'transcript'],
  ['/', 'filter the list'],
  ['Enter', 'open the run'],
  ['u', 'back to the list'],
  ['Esc', 'close the inspector'],
] as const;

export function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </dialog>
  );
}

import { useEffect, useRef } from 'preact/hooks';

/** Single keys, where nothing is being typed and no dialog is open. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const held = useRef(keys);
  held.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (
        event.key === 'Enter' &&
        event.target instanceof HTMLElement &&
        event.target.closest('a,button,summary') !== null
      )
        return;
      if (document.querySelector('dialog[open]') !== null) return;
      const act = held.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input,textarea,select,[contenteditable]') !== null;

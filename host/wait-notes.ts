const FIRST_MS = 5_000;
const NEXT_MS = 15_000;

/** For a loop that waits: call it at every turn. It tells what is waited for after 5 s, and then every 15 s. */
export function waitNotes({ onNote, text }: { onNote: (note: string) => void; text: () => string }): () => void {
  let due = Date.now() + FIRST_MS;
  return () => {
    if (Date.now() < due) return;
    due = Date.now() + NEXT_MS;
    onNote(text());
  };
}

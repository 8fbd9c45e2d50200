import { useState } from 'preact/hooks';

const SAID_MS = 1_600;

/** A command to copy. */
export function Command({ command, what }: { command: string; what: string | null }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(command);
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_MS);
  };
  return (
    <span class="command">
      <code>{command}</code>
      <button type="button" class="copy" onClick={() => void copy()} aria-label={`Copy: ${command}`}>
        {copied ? 'copied' : 'copy'}
      </button>
      {what === null ? null : <span class="what">{what}</span>}
    </span>
  );
}

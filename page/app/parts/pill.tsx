import { Mark } from './mark.tsx';
import type { Tone } from './tone.ts';

/** A state in a word. */
export const Pill = ({ tone, text }: { tone: Tone; text: string }) => (
  <span class={`pill tone-${tone}`}>
    <Mark tone={tone} />
    {text}
  </span>
);

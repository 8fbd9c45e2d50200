import type { Tone } from './tone.ts';

const SHAPES: Readonly<Record<Tone, string>> = {
  go: 'M8 3a5 5 0 1 1-5 5',
  good: 'M3.5 8.5l3 3 6-7',
  warn: 'M8 3v6M8 12.2v.3',
  bad: 'M4 4l8 8M12 4l-8 8',
  idle: 'M6 4v8M10 4v8',
  plain: 'M4 8h8M9 5l3 3-3 3',
};

/** The sign of a tone. What it says stands beside it in words. */
export const Mark = ({ tone }: { tone: Tone }) => (
  <svg class={`mark tone-${tone}`} viewBox="0 0 16 16" aria-hidden="true">
    <path d={SHAPES[tone]} />
  </svg>
);

import { useEffect, useRef, useState } from 'preact/hooks';
import { useWidth } from '../parts/use-width.ts';

/** Amounts of one kind, one a round. Null: not known, which is a gap and never 0. */
export interface Series {
  readonly name: string;
  /** A custom property of the style sheet. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
  /** Which of them are estimates, drawn hatched. */
  readonly estimated?: readonly boolean[];
}

interface PlotProps {
  readonly title: string;
  /** A word on the whole: "median 4m". */
  readonly note: string;
  readonly rounds: readonly number[];
  /** Stacked, the first one at the bottom. Negative amounts hang below the axis. */
  readonly series: readonly Series[];
  readonly text: (amount: number) => string;
  readonly selected: number | null;
  readonly onSelect: (round: number) => void;
}

const HEIGHT = 96;
const GAP_PX = 1;
const WIDEST_PX = 44;

/** Bars by round, drawn on a canvas: a thousand of them take a few milliseconds. The table has the same in text. */
export function BarPlot(props: PlotProps) {
  const { title, note, rounds, series, text, onSelect } = props;
  const { ref, width } = useWidth<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [over, setOver] = useState<number | null>(null);
  const theme = useThemeVersion();
  useEffect(() => {
    if (canvas.current !== null && width > 0) draw(canvas.current, { ...props, width, over });
  }, [rounds, series, width, over, props.selected, theme]);
  const indexAt = (event: MouseEvent): number => Math.floor(event.offsetX / stepOf(width, rounds.length));
  const shown = over ?? (props.selected === null ? null : rounds.indexOf(props.selected));
  return (
    <figure class="plot">
      <figcaption>
        <b>{title}</b>
        <span>{shown === null || rounds[shown] === undefined ? note : readout(props, shown)}</span>
      </figcaption>
      <div ref={ref} class="canvas">
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${title} by round: ${note}, at most ${text(mostOf(series))}`}
          onMouseMove={(event) => setOver(Math.min(indexAt(event), rounds.length - 1))}
          onMouseLeave={() => setOver(null)}
          onClick={(event) => {
            const round = rounds[indexAt(event)];
            if (round !== undefined) onSelect(round);
          }}
        />
      </div>
      {series.length < 2 ? null : (
        <ul class="legend">
          {series.map(({ name, colour }) => (
            <li key={name}>
              <i style={{ background: `var(${colour})` }} />
              {name}
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

function readout({ rounds, series, text }: PlotProps, i: number): string {
  const parts = series.map(({ name, values, estimated }) => {
    const value = values[i] ?? null;
    const amount = value === null ? 'unknown' : `${estimated?.[i] ? '≈' : ''}${text(Math.abs(value))}`;
    return series.length === 1 ? amount : `${name} ${amount}`;
  });
  return `round ${rounds[i]}: ${parts.join(', ')}`;
}

const stepOf = (width: number, many: number): number => Math.min(WIDEST_PX, width / Math.max(many, 1));

const totalAt = (series: readonly Series[], i: number, sign: 1 | -1): number =>
  series.reduce((sum, { values }) => sum + Math.max(0, (values[i] ?? 0) * sign), 0);

function mostOf(series: readonly Series[]): number {
  const many = series[0]?.values.length ?? 0;
  return Math.max(0, ...Array.from({ length: many }, (_, i) => totalAt(series, i, 1)));
}

function draw(canvas: HTMLCanvasElement, plot: PlotProps & { width: number; over: number | null }): void {
  const { width, series, rounds, selected, over } = plot;
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(HEIGHT * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${HEIGHT}px`;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const colourOf = (name: string): string => style.getPropertyValue(name).trim();
  const up = Math.max(mostOf(series), Number.MIN_VALUE);
  const down = Math.max(0, ...rounds.map((_, i) => totalAt(series, i, -1)));
  const zero = (HEIGHT - 2) * (up / (up + down));
  const perUnit = zero / up;
  const step = stepOf(width, rounds.length);
  const wide = Math.max(0.6, step - (step > 3 ? GAP_PX : 0));
  const fills = series.map(({ colour }) => ({ plain: colourOf(colour), hatched: hatch(context, colourOf(colour)) }));
  context.fillStyle = colourOf('--line');
  context.fillRect(0, zero, width, 1);
  for (const [i, round] of rounds.entries()) {
    const x = i * step;
    if (round === selected || i === over) {
      context.fillStyle = colourOf('--sunk');
      context.fillRect(x, 0, step, HEIGHT);
    }
    let above = zero;
    let below = zero;
    let isKnown = false;
    for (const [k, { values, estimated }] of series.entries()) {
      const value = values[i] ?? null;
      if (value === null) continue;
      isKnown = true;
      const high = Math.abs(value) * perUnit;
      const fill = fills[k];
      if (fill === undefined) continue;
      context.fillStyle = estimated?.[i] ? fill.hatched : fill.plain;
      if (value >= 0) context.fillRect(x, (above -= high), wide, high);
      else {
        context.fillRect(x, below, wide, high);
        below += high;
      }
    }
    if (isKnown) continue;
    context.fillStyle = colourOf('--line-2');
    context.fillRect(x + wide / 2 - 1, zero - 5, Math.min(2, wide), 3);
  }
}

/** An estimate looks unlike a fact. */
function hatch(context: CanvasRenderingContext2D, colour: string): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = 5;
  tile.height = 5;
  const paint = tile.getContext('2d');
  if (paint === null) return colour;
  paint.strokeStyle = colour;
  paint.lineWidth = 1.6;
  for (const from of [-5, 0, 5]) {
    paint.moveTo(from, 5);
    paint.lineTo(from + 5, 0);
  }
  paint.stroke();
  return context.createPattern(tile, 'repeat') ?? colour;
}

/** Changes with the colours of the page. */
function useThemeVersion(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const onChange = (): void => setVersion((before) => before + 1);
    window.addEventListener('themechange', onChange);
    return () => window.removeEventListener('themechange', onChange);
  }, []);
  return version;
}

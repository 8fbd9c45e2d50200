import type { CheckView } from '../../client/view/run-view.ts';
import { type GateResult, passes } from '../../schemas/verification/gate.ts';
import { cost, duration, tokens, UNKNOWN } from '../text/amounts.ts';
import { checkName, checkText, colourOf, gateText } from '../text/check-text.ts';
import { fields } from '../terminal/fields.ts';
import { palette, type Palette } from '../terminal/palette.ts';
import { printable } from '../terminal/printable.ts';
import { receiptLines } from '../text/receipt-text.ts';

type Row = [string, string];

const plain = palette(false);
const list = (items: readonly string[]): string =>
  items.map((item) => `- ${printable(item).replaceAll('\n', '\n  ')}`).join('\n');

function gateRows(gate: GateResult, view: CheckView): Row[] {
  const line = view.gates.find(({ command }) => command === gate.command);
  // What one printed that passed is for `ralph log`.
  const output = passes(gate) ? '' : printable(gate.output).trim();
  return [
    [
      gate.isSetup ? 'Setup' : 'Gate',
      `${line === undefined ? printable(gate.command) : gateText(line)}  ${duration(gate.ms)}`,
    ],
    ...(output === '' ? [] : [['Output ends', output] satisfies Row]),
    ['Disposal', receiptLines(gate.receipt).join('\n')],
  ];
}

function recordRows(view: CheckView): Row[] {
  const { record } = view;
  if (record === null) return [];
  if (record.kind === 'interrupted') return [['Disposal', receiptLines(record.receipt).join('\n')]];
  if (record.kind === 'failed') return [['Fault', printable(`${record.fault.code}: ${record.fault.message}`)]];
  if (record.kind === 'checked') {
    const { protectedPaths, gates, commit } = record;
    return [
      ['Commit', commit],
      ...(protectedPaths.length === 0 ? [] : [['Protected', list(protectedPaths)] satisfies Row]),
      ...gates.flatMap((gate) => gateRows(gate, view)),
    ];
  }
  const { review, usage, costUsd, costEstimated, agentMs, receipt } = record;
  return [
    ['Decision', review.decision],
    ...(review.reasons.length === 0 ? [] : [['Reasons', list(review.reasons)] satisfies Row]),
    ['Duration', agentMs === null ? UNKNOWN : duration(agentMs)],
    ['Tokens', usage === null ? UNKNOWN : `${tokens(usage)}, and ${usage.cacheReadTokens} read from a cache`],
    ['Cost', (costEstimated ? '≈' : '') + cost(costUsd)],
    ['Disposal', receiptLines(receipt).join('\n')],
  ];
}

/** Where what was printed, and handed in, is to be found: gates print into a file each, which a verb puts together. */
function fileRows({ kind, round, files, folder }: CheckView, runId: string): Row[] {
  const printed = Object.keys(files).some((name) => name.endsWith('transcript'));
  const prompt = kind === 'review' ? files['prompt'] : undefined;
  return [
    ...(prompt === undefined ? [] : [['Prompt', prompt] satisfies Row]),
    ...(printed ? [['Printed', `ralph log ${runId} --round ${round} --${kind}`] satisfies Row] : []),
    ['Files', folder],
  ];
}

/** A check of a claim, whole: `ralph show RUN --round N`. */
export function checkLines(view: CheckView, runId: string, paint: Palette): string[] {
  const { problem, result } = view;
  const text = checkText(view, plain);
  const name = checkName(view);
  const status = text.slice(name.length + 2).split('\n', 1)[0] ?? result;
  const rows: Row[] = [
    ['Result', problem === null ? colourOf(result, paint)(status) : `${UNKNOWN}: ${problem}`],
    ...(view.startedAt === null ? [] : [['Started', view.startedAt] satisfies Row]),
    ...recordRows(view),
    ...fileRows(view, runId),
  ];
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return [paint.strong(title), ...fields(rows, paint)];
}

import type { RunView } from '../../client/view/run-view.ts';
import { agentTitle } from '../../schemas/run/titles.ts';
import { several } from '../text/amounts.ts';
import { printableLine } from '../terminal/printable.ts';

/** Who says that a run is complete. A claim is called a claim. */
export function completeText({ ending, gates, gatePolicy, reviewer }: RunView): string {
  if (ending === null || ending.status !== 'complete') return 'complete, as the agent reports; no gate checked it';
  const { verification, excusedGates } = ending;
  const ran = gates === null ? 'its gates' : several(gates.length, 'gate');
  const where = gatePolicy !== null && gatePolicy.inPlace ? 'in the workspace' : 'on a clean checkout';
  const asBefore = excusedGates.map((command) => `"${printableLine(command)}"`).join(', ');
  switch (verification) {
    case 'worker-reported':
      return 'complete, as the agent reports; no gate checked it';
    case 'gates-passed':
      return `complete: ${ran} passed ${where}`;
    case 'gates-as-before':
      return `complete, although ${excusedGates.length} of ${ran} still ${excusedGates.length === 1 ? 'fails' : 'fail'} as before round 1: ${asBefore}`;
    case 'reviewed': {
      const by = byWhom(reviewer);
      if (gates !== null && gates.length === 0) return `complete: ${by} accepted it; no gate checked it`;
      const how = excusedGates.length === 0 ? 'passed' : `passed, but for what fails as before round 1 (${asBefore}),`;
      return `complete: ${ran} ${how} ${where}, and ${by} accepted it`;
    }
    default:
      return verification satisfies never;
  }
}

function byWhom(reviewer: RunView['reviewer']): string {
  if (reviewer === null) return 'a reviewer';
  return reviewer.provider === 'command'
    ? 'the reviewing command'
    : `${printableLine(agentTitle(reviewer))} reviewed and`;
}

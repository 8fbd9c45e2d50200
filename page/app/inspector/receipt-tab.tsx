import { clock } from '../../../client/describe/amounts.ts';
import { receiptLines } from '../../../client/describe/receipt-words.ts';
import type { AttemptView } from '../../../client/view/round-view.ts';

/** What the disposal of an attempt found and proved, in words. */
export function ReceiptTab({ attempt }: { attempt: AttemptView | null }) {
  const outcome = attempt?.outcome;
  if (outcome === undefined || outcome.kind !== 'there') {
    return <p class="fine">There is no receipt: the attempt has not been disposed of yet, or its record is missing.</p>;
  }
  const { receipt, sandbox, checkpoint } = outcome.record;
  return (
    <div class={`receipt-page ${receipt.proof === 'unproved' ? 'unproved' : ''}`}>
      {receiptLines(receipt).map((line, i) => (
        <p key={i} class={i === 0 ? 'proof' : ''}>
          {line}
        </p>
      ))}
      <dl>
        <dt>Cause</dt>
        <dd>{receipt.cause}</dd>
        <dt>At</dt>
        <dd>
          {clock(receipt.at, null)} on {receipt.host}
        </dd>
        <dt>Sandbox</dt>
        <dd>{`${sandbox.level}, ${sandbox.network ? 'with network' : 'no network'}, held by ${sandbox.mechanism}`}</dd>
        <dt>Checkpoint</dt>
        <dd>{checkpoint === null ? 'none: the work could not be committed' : <code>{checkpoint.commit}</code>}</dd>
      </dl>
    </div>
  );
}

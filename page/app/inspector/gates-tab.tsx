import { duration } from '../../../client/describe/amounts.ts';
import { checkText, gateText } from '../../../client/describe/check-words.ts';
import { type CheckView, gatesOf, type RoundView } from '../../../client/view/round-view.ts';
import { selectedHref } from '../link/route.ts';

/** What checked the round's completion claim, with the end of what each gate printed. */
export function GatesTab({ runId, view }: { runId: string; view: RoundView }) {
  if (view.checks.length === 0) {
    return <p class="fine">Nothing was checked: gates and reviews run when a round claims completion.</p>;
  }
  return (
    <>
      {view.checks.map((check) => (
        <section key={`${check.check}/${check.number}`} class={`check ${check.outcome.kind}`}>
          <h3>{checkText(check)}</h3>
          {gatesOf(check).map((gate, i) => (
            <div class={`gate ${gate.result}`} key={i}>
              <p>
                <span>{gateText(gate)}</span>
                <span class="took">{duration(gate.ms)}</span>
              </p>
              <GateOutput check={check} index={i} />
            </div>
          ))}
          {check.check === 'review' ? (
            <a href={selectedHref(runId, { round: view.round, tab: 'transcript', at: `review-${check.number}` })}>
              What the reviewer printed
            </a>
          ) : null}
        </section>
      ))}
    </>
  );
}

/** The end of its output, as the record keeps it. */
function GateOutput({ check, index }: { check: CheckView; index: number }) {
  if (check.record.kind === 'damaged') return <p class="note">{check.record.problem}</p>;
  if (check.record.kind !== 'there') return null;
  const { record } = check.record;
  const gate = 'gates' in record ? record.gates[index] : undefined;
  return gate === undefined || gate.output.trim() === '' ? null : <pre class="log">{gate.output.trimEnd()}</pre>;
}

import { agentText, branchText, repositoryText } from '../../../client/describe/about-words.ts';
import { clock, UNKNOWN } from '../../../client/describe/amounts.ts';
import { agentTitle } from '../../../schemas/run/agent-title.ts';
import type { RunView } from '../../../client/view/run-view.ts';
import { runHref, selectedHref } from '../link/route.ts';

/** What the run was started with, and where its things are. */
export function Facts({ run }: { run: RunView }) {
  const { request, chain, temporal, folder, startedAt, runId } = run;
  const whole = request.kind === 'whole' ? request.request : null;
  const page = 'page' in temporal ? temporal.page : null;
  const runsAfter = chain.continued.kind === 'none' ? [] : chain.continued.as;
  return (
    <section class="card facts" aria-label="About this run">
      <dl>
        <dt>Objective</dt>
        <dd class="objective">
          {whole === null ? (request.kind === 'brief' ? request.title : UNKNOWN) : whole.objective}
        </dd>
        <dt>Agent</dt>
        <dd>{agentText(run)}</dd>
        <dt>Repository</dt>
        <dd>{repositoryText(run)}</dd>
        <dt>Branch</dt>
        <dd>
          {branchText(run)} · <a href={selectedHref(runId, { round: null, tab: 'diff', at: null })}>whole diff</a>
        </dd>
        {whole === null ? null : (
          <>
            <dt>Sandbox</dt>
            <dd>{`${whole.sandbox.level}, ${whole.sandbox.network ? 'with network' : 'no network'}`}</dd>
            {whole.setup === null ? null : (
              <>
                <dt>Setup</dt>
                <dd>
                  <code>{whole.setup}</code>
                </dd>
              </>
            )}
            {whole.gates.length === 0 ? null : (
              <>
                <dt>Gates</dt>
                <dd>
                  {whole.gates.map(({ command }) => (
                    <code key={command}>{command}</code>
                  ))}
                </dd>
              </>
            )}
            {whole.reviewer === null ? null : (
              <>
                <dt>Reviewer</dt>
                <dd>{agentTitle(whole.reviewer)}</dd>
              </>
            )}
          </>
        )}
        {chain.previous.length === 0 ? null : (
          <>
            <dt>Continues</dt>
            <dd>
              {chain.previous.map((each) => (
                <a
                  key={each.runId}
                  class="chain"
                  href={runHref(each.runId)}
                >{`${each.runId} (${each.status}, ${each.rounds.length} rounds)`}</a>
              ))}
            </dd>
          </>
        )}
        {runsAfter.length === 0 ? null : (
          <>
            <dt>Continued by</dt>
            <dd>
              {runsAfter.map((each) => (
                <a key={each} class="chain" href={runHref(each)}>
                  {each}
                </a>
              ))}
            </dd>
          </>
        )}
        <dt>Started</dt>
        <dd>{startedAt === null ? UNKNOWN : clock(startedAt, null)}</dd>
        {folder === null ? null : (
          <>
            <dt>Files</dt>
            <dd>
              <code>{folder}</code>
            </dd>
          </>
        )}
        {page === null ? null : (
          <>
            <dt>Temporal</dt>
            <dd>
              <a href={page} target="_blank" rel="noreferrer noopener">
                its own page of this run
              </a>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

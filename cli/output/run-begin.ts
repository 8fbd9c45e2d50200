import type { RunRequest } from '../../schemas/run.ts';
import { agentTitle } from '../../schemas/titles.ts';
import type { Palette } from './palette.ts';
import { printableLine } from './printable.ts';

/** What was started, as it was frozen: also what a repository's ralph.json asked for. */
export function runBegin(request: RunRequest, paint: Palette): string[] {
  const { runId, repository, agent, sandbox, setup, limits } = request;
  const facts = [
    `agent ${printableLine(agentTitle(agent))}`,
    `sandbox ${sandbox.level}${sandbox.network ? '' : ' without network'}`,
    `at most ${limits.maxRounds} rounds`,
  ];
  const lines = [
    `Run ${paint.strong(runId)} on ${printableLine(repository.path)} from ${printableLine(repository.ref)} (${repository.commit.slice(0, 7)})`,
    paint.faint(facts.join(', ')),
  ];
  if (setup !== null) lines.push(paint.faint(`setup: ${printableLine(setup)}`));
  lines.push(paint.faint(`Ctrl-C detaches and the run goes on; \`ralph cancel ${runId}\` ends it.`), '');
  return lines;
}

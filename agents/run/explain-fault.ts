import type { Fault } from '../../schemas/round/fault.ts';
import type { HomeCopy } from '../logins/home-files.ts';
import type { AgentProvider, WorkerEnv } from '../provider.ts';
import { oneLine } from '../output/bounded-text.ts';
import { hasKey } from './environment.ts';
import { isOlder } from './program-version.ts';

/** What the engine knows of an attempt beside what its program said. */
interface Known {
  readonly provider: AgentProvider;
  readonly workerEnv: WorkerEnv;
  readonly copies: readonly HomeCopy[];
  /** Null: not known. */
  readonly version: string | null;
  readonly stderrTail: string;
  /** Whether it did anything before it ended by itself. */
  readonly hasWorked: boolean;
}

/** A fault with what the engine knows of its cause, and of the way out. */
export function explainFault(fault: Fault, known: Known): Fault {
  if (fault.code === 'bad-credentials') return explainLogin(fault, known);
  return fault.code === 'agent-crashed' ? explainOptions(fault, known) : fault;
}

/** A rejected login is named as one: there is no key that a user could correct. */
function explainLogin(fault: Fault, { provider, workerEnv, copies }: Known): Fault {
  const login = copies.find(({ renews }) => renews);
  if (login === undefined || provider.program === null || hasKey(provider, workerEnv)) return fault;
  const message = `${fault.message} (the login in ${login.from}: log in again with \`${provider.program.login}\`)`;
  return { ...fault, message, login: true };
}

/** How programs say that they do not know an option or a value of one. */
const UNKNOWN_OPTION =
  /^.*(?:(?:unknown|unrecognized|unexpected|unsupported|invalid) (?:option|argument|flag|command)|unknown arguments?:|(?:not|isn't) a valid (?:option|argument)|option .{0,80} is invalid).*$/im;
/** Some print how they are used instead. */
const USAGE = /^\s*(?:usage|options|positionals):/im;
const MAX_LINE_CHARS = 300;

/**
 * A program of another version may lack an option that it is started with: a further attempt would end in the same way.
 * Of any other end at its start it is said that the version was not tested.
 */
function explainOptions(fault: Fault, { provider: { program }, version, stderrTail, hasWorked }: Known): Fault {
  if (program === null || hasWorked || version === program.testedVersion) return fault;
  const { name, testedVersion, install } = program;
  const line = UNKNOWN_OPTION.exec(stderrTail)?.[0] ?? (USAGE.test(stderrTail) ? 'it printed how it is used' : null);
  if (line === null && version === null) return fault;
  const which =
    version === null
      ? `its version is unknown, and this engine was tested with ${testedVersion}`
      : `${name} ${version} is ${isOlder(version, testedVersion) ? 'older' : 'newer'} than the version this engine was tested with`;
  const wayOut = `${which}: ${install}@${testedVersion}`;
  if (line === null) return { ...fault, message: `${fault.message} (${wayOut})` };
  const message = `${name} rejected its options: ${oneLine(line, MAX_LINE_CHARS)} (${wayOut})`;
  return { ...fault, code: 'agent-unavailable', message };
}

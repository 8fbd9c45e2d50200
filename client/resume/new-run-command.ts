import type { AgentSpec } from '../../schemas/run/agent.ts';
import { branchName, Limits, type RunRequest } from '../../schemas/run/run.ts';
import { DEFAULT_GATE_TIMEOUT_MS } from '../../schemas/verification/gate.ts';

const MAX_OBJECTIVE_CHARS = 200;
/** Prints the objective in a run's request. */
const PRINT = `node -e 'process.stdout.write(JSON.parse(fs.readFileSync(process.argv[1], "utf8")).objective)'`;

/** The `ralph run` that starts a new run from a run's branch, with all that its request asks for, to paste into a shell. */
export function newRunCommand(request: RunRequest, requestFile: string): string {
  const { objective, repository, agent, sandbox, setup, limits, gates, gatePolicy, reviewer, fallbackAgent } = request;
  const isShort = objective.length <= MAX_OBJECTIVE_CHARS && !/[^\P{C}]/u.test(objective);
  const flags = [
    isShort ? quoted(objective) : '-',
    option('--repo', repository.path),
    option('--base', branchName(request)),
    ...agentFlags('', agent),
    ...(sandbox.level === 'workspace-write' ? [] : [option('--sandbox', sandbox.level)]),
    ...(sandbox.network ? [] : ['--no-network']),
    ...sandbox.readable.map((place) => option('--read', place)),
    ...(setup === null ? [] : [option('--setup', setup)]),
    ...gates.map(({ command }) => option('--gate', command)),
    ...gates
      .slice(0, 1)
      .flatMap(({ timeoutMs }) => (timeoutMs === DEFAULT_GATE_TIMEOUT_MS ? [] : [`--gate-timeout ${timeoutMs}ms`])),
    ...(gatePolicy.inPlace ? ['--gate-in-place'] : []),
    ...(gatePolicy.allowRedBaseline ? ['--gate-baseline allow-red'] : []),
    ...(gatePolicy.protect.length === 0 ? [] : [option('--protect', gatePolicy.protect.join(','))]),
    ...(reviewer === null ? [] : agentFlags('reviewer', reviewer)),
    ...(fallbackAgent === null ? [] : agentFlags('fallback', fallbackAgent)),
    ...limitFlags(limits),
    ...budgetFlags(request),
  ];
  const command = `ralph run ${flags.join(' ')}`;
  return isShort ? command : `${PRINT} ${quoted(requestFile)} | ${command}`;
}

const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

const option = (name: string, value: string): string => `${name} ${quoted(value)}`;

function agentFlags(role: '' | 'reviewer' | 'fallback', { provider, command, model }: AgentSpec): string[] {
  const name = { '': '--agent', reviewer: '--reviewer', fallback: '--fallback-agent' }[role];
  const prefix = role === '' ? '--' : `--${role}-`;
  return [
    ...(provider === 'command' ? [] : [option(name, provider)]),
    ...(command === null ? [] : [option(`${prefix}command`, command)]),
    ...(model === null ? [] : [option(`${prefix}model`, model)]),
  ];
}

const LIMITS = [
  ['maxRounds', '--max-rounds', ''],
  ['maxHandoffChars', '--max-handoff-chars', ''],
  ['roundTimeoutMs', '--round-timeout', 'ms'],
  ['idleTimeoutMs', '--idle-timeout', 'ms'],
  ['graceMs', '--grace', 'ms'],
  ['roundAttempts', '--round-attempts', ''],
  ['reportAttempts', '--report-attempts', ''],
  ['maxRejections', '--max-rejections', ''],
  ['stallRounds', '--stall-rounds', ''],
] as const satisfies readonly (readonly [limit: keyof Limits, flag: string, unit: string])[];

/** Those that differ from the defaults. */
function limitFlags(limits: Limits): string[] {
  const defaults = Limits.parse({});
  return LIMITS.filter(([name]) => limits[name] !== defaults[name]).map(
    ([name, flag, unit]) => `${flag} ${limits[name]}${unit}`,
  );
}

const budgetFlags = ({ budgets }: RunRequest): string[] =>
  Object.entries({
    '--max-time': budgets.maxTimeMs === null ? null : `${budgets.maxTimeMs}ms`,
    '--max-tokens': budgets.maxTokens,
    '--max-cost': budgets.maxCostUsd,
    '--max-wait': budgets.maxWaitMs === null ? null : `${budgets.maxWaitMs}ms`,
  }).flatMap(([flag, value]) => (value === null ? [] : [`${flag} ${value}`]));

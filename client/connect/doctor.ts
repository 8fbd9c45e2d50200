import { describeContainment } from '../../agents/containment/choose/choose-containment.ts';
import { providerOf } from '../../agents/registry.ts';
import { pageAddress } from '../../host/page-process/page-process.ts';
import type { Environment } from '../../host/environment.ts';
import { reapLost, type Reaped } from '../../host/worker-process/reap-lost.ts';
import { ProviderName } from '../../schemas/run/agent.ts';
import type { Mechanism } from '../../schemas/round/receipt.ts';
import { RalphError } from '../../schemas/errors/index.ts';
import { diskRoom, fullDiskText } from '../../system/disk-room.ts';
import { findOnPath } from '../../system/processes/on-path.ts';
import { checkWorkerFor } from './ensure-services.ts';
import type { Deployment } from './deployment.ts';

/** One thing that a run may need. `detail`: what is there, or what is wrong and the way out. */
export interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** What this machine can do for runs. */
export interface Diagnosis {
  readonly machine: readonly Finding[];
  /** What would hold a round, by sandbox level and network. */
  readonly containment: readonly Finding[];
  /** Agents that a worker of this RALPH_HOME can start. */
  readonly agents: readonly Finding[];
  /** What dead workers had left and this ended; null: it was not asked to. */
  readonly reaped: readonly Reaped[] | null;
}

/** What a mechanism lacks, where it lacks something. */
const WORTH: Readonly<Record<Mechanism, string>> = {
  bubblewrap: '',
  subreaper: ': files are not held, RALPH_HOME is not hidden',
  'process-group':
    ': files are not held, RALPH_HOME is not hidden; what a round leaves is looked for, which is no proof',
};

/** Look at everything that runs depend on. Starts and installs nothing. */
export async function diagnose(deployment: Deployment, how: { reap: boolean }): Promise<Diagnosis> {
  const offers = await describeContainment();
  return {
    machine: [
      ...['git', 'bash', 'flock', 'perl', 'bwrap'].map((program) => onPath(program, deployment.env)),
      await room(deployment),
      await page(deployment),
    ],
    containment: offers.map(({ sandbox, mechanism, cause }) => ({
      what: `${sandbox.level}${sandbox.network ? '' : ', no network'}`,
      ok: mechanism !== null,
      detail: mechanism === null ? String(cause) : `held by ${mechanism}${WORTH[mechanism]}`,
    })),
    agents: await Promise.all(ProviderName.exclude(['command']).options.map((name) => agent(name, deployment))),
    reaped: how.reap ? await reapLost(deployment.ralphHome) : null,
  };
}

async function agent(provider: Exclude<ProviderName, 'command'>, deployment: Deployment): Promise<Finding> {
  try {
    const uses = await checkWorkerFor({ provider, command: null, model: null }, deployment);
    return { what: provider, ok: true, detail: `${uses}; a key or login is there` };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return { what: provider, ok: false, detail: lacking(provider, error) };
  }
}

/** In a few words, as there may be four of them; `ralph run` says it at length. */
function lacking(provider: Exclude<ProviderName, 'command'>, error: RalphError): string {
  const { program, environment } = providerOf({ provider, command: null, model: null });
  if (error.code === 'agent-program-missing' && program !== null) {
    return `${program.name} is not on PATH: ${program.install}`;
  }
  if (error.code === 'agent-key-missing') return `no key: ${environment.keys.join(' or ')} in $RALPH_HOME/env`;
  return error.message;
}

async function room({ ralphHome }: Deployment): Promise<Finding> {
  const disk = await diskRoom(ralphHome);
  return {
    what: 'disk',
    ok: disk.kind === 'room',
    detail: disk.kind === 'full' ? fullDiskText(disk) : `there is room in ${ralphHome}`,
  };
}

async function page({ ralphHome }: Deployment): Promise<Finding> {
  const address = await pageAddress(ralphHome);
  return { what: 'page', ok: true, detail: address === null ? 'down; `ralph ui` starts it' : `up at ${address}` };
}

function onPath(program: string, env: Environment): Finding {
  const found = findOnPath(program, env['PATH']);
  return { what: program, ok: found !== null, detail: found ?? 'not on PATH' };
}

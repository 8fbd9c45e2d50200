import type { Environment } from '../../host/environment.ts';
import { resolveRalphHome } from '../../host/ralph-home.ts';
import type { Asker } from './reach.ts';
import { resolveTemporalSettings, type TemporalSettings } from '../../temporal.config.ts';

/** A RALPH_HOME with its settings: what every command begins from. */
export interface Deployment {
  readonly ralphHome: string;
  readonly settings: TemporalSettings;
  readonly env: Environment;
  /** Of a long-lived reader: its one connection to Temporal, which every question goes over. Else each opens its own. */
  readonly kept?: Asker;
}

/** Throws RalphError where the home or its settings cannot be used. Starts nothing. */
export async function openDeployment(env: Environment): Promise<Deployment> {
  const ralphHome = await resolveRalphHome(env);
  return { ralphHome, settings: await resolveTemporalSettings({ ralphHome, env }), env };
}

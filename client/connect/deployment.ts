import type { Environment } from '../../host/environment.ts';
import { resolveRalphHome } from '../../host/ralph-home.ts';
import { resolveTemporalSettings, type TemporalSettings } from '../../temporal.config.ts';

/** A RALPH_HOME with its settings: what every command begins from. */
export interface Deployment {
  readonly ralphHome: string;
  readonly settings: TemporalSettings;
  readonly env: Environment;
}

/** Throws RalphError where the home or its settings cannot be used. Starts nothing. */
export async function openDeployment(env: Environment): Promise<Deployment> {
  const ralphHome = await resolveRalphHome(env);
  return { ralphHome, settings: await resolveTemporalSettings({ ralphHome, env }), env };
}

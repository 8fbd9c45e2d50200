import type { TemporalConnection, TemporalSettings } from '../../temporal.config.ts';
import { ensureServer } from './embedded-server.ts';
import type { Environment } from '../environment.ts';

/** How to connect to the Temporal of these settings; the embedded server is started where it does not run. */
export async function ensureTemporal({
  settings,
  ...how
}: {
  settings: TemporalSettings;
  ralphHome: string;
  env: Environment;
  onNote: (note: string) => void;
}): Promise<TemporalConnection> {
  switch (settings.server.source) {
    case 'external':
      return settings.server.connection;
    case 'embedded':
      return { address: (await ensureServer(how)).address };
    default:
      return settings.server satisfies never;
  }
}

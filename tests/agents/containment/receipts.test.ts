import { waitUntil } from '../../../agents/containment/dispose/wait-until.ts';
import { attemptOf, type Setting } from './disposal-cases.ts';
import { standInWorkers } from './stand-in-workers.ts';

const { built, start } = standInWorkers();

test.each(['bubblewrap', 'subreaper', 'process-group'] as const)(
  'a receipt names what was asked to end, with nothing behind a `=`: %s',
  async (mechanism) => {
    const setting: Setting = { ...built, mechanism, level: 'full-access' };
    const worker = await start();
    const script = `perl -e 'open my $file, q(>), $ENV{ARMED}; sleep 61' key=hidden & wait`;
    const attempt = attemptOf(setting, { script });
    await worker.ask({ start: { mechanism, command: attempt.command } });
    expect(await waitUntil(attempt.armed, 10_000)).toBe(true);
    const { receipt } = await worker.ask({ dispose: { cause: 'fault', graceMs: 5_000, proveMs: 10_000 } });
    const asked = receipt?.signals.filter(({ signal }) => signal === 'SIGTERM').map(({ command }) => command);
    expect(asked).toContainEqual(expect.stringMatching(/^perl -e open my .* key=\*\*\*$/));
    expect(JSON.stringify(receipt)).not.toContain('hidden');
    expect(receipt?.killed).toEqual([]);
  },
);

test.each(['bubblewrap', 'subreaper', 'process-group'] as const)(
  'a receipt counts the many processes that were killed, and lists some: %s',
  async (mechanism) => {
    const setting: Setting = { ...built, mechanism, level: 'full-access' };
    const worker = await start();
    const attempt = attemptOf(setting, {
      // All of them are asked to end, and none does.
      script: 'trap "" TERM; for i in $(seq 150); do sleep 60 & done; : > "$ARMED"; wait',
    });
    await worker.ask({ start: { mechanism, command: attempt.command } });
    expect(await waitUntil(attempt.armed, 10_000)).toBe(true);
    const { receipt } = await worker.ask({ dispose: { cause: 'fault', graceMs: 0, proveMs: 10_000 } });
    const [killed, unlisted] = [receipt?.killed.length ?? 0, receipt?.killedUnlisted ?? 0];
    expect(killed).toBeGreaterThan(60);
    expect(killed).toBeLessThanOrEqual(64);
    expect(killed + unlisted).toBe(151);
    expect(worker.survivors()).toEqual([]);
  },
);

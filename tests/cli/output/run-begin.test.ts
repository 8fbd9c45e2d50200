import { palette } from '../../../cli/output/palette.ts';
import { runBegin } from '../../../cli/output/run-begin.ts';
import { Limits } from '../../../schemas/run.ts';
import { plainRequest } from '../../support/plain-request.ts';

const begin = (maxRounds: number): string =>
  runBegin(
    {
      ...plainRequest,
      runId: 'r',
      objective: 'o',
      objectiveHash: 'f'.repeat(64),
      repository: { path: '/r', ref: 'HEAD', commit: 'a'.repeat(40) },
      agent: { provider: 'command', command: 'agent', model: null },
      sandbox: { level: 'workspace-write', network: true, readable: [] },
      setup: null,
      limits: Limits.parse({ maxRounds }),
      identity: { name: 'Test', email: 'test@example.org' },
      hostId: 'a'.repeat(16),
      requestedAt: '2026-01-05T09:00:00.000Z',
    },
    palette(false),
  ).join('\n');

test('one round is one round', () => {
  expect(begin(1)).toMatch(/^Budget +at most 1 round$/m);
  expect(begin(12)).toMatch(/^Budget +at most 12 rounds$/m);
});

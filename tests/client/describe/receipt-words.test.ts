import { receiptLines } from '../../../client/describe/receipt-words.ts';
import { plainReceipt } from '../../support/records.ts';

const receipt = plainReceipt({ signals: [{ signal: 'SIGKILL', pid: 41, command: null }], ms: 12 });

const sent = (pid: number, command: string | null) => ({ signal: 'SIGTERM', pid, command });

test('where nothing had to be ended the proof is all there is to say', () => {
  expect(receiptLines(receipt)).toEqual(['no process is left (the process namespace is gone); bubblewrap, 12ms']);
});

test('what SIGTERM ended is counted and named, and what had to be killed is so apart', () => {
  const signals = [sent(42, 'bash agent.sh'), sent(43, 'sleep 20'), ...receipt.signals];
  expect(receiptLines({ ...receipt, signals }).slice(1)).toEqual(['2 ended by SIGTERM: bash agent.sh, sleep 20']);
  const killed = [{ pid: 43, command: 'sleep 20' }];
  expect(receiptLines({ ...receipt, signals, killed }).slice(1)).toEqual([
    '1 ended by SIGTERM: bash agent.sh',
    '1 ended by SIGKILL: sleep 20',
  ]);
});

test('what SIGTERM came to is not said where that is not known', () => {
  const signals = [sent(42, 'bash'), sent(43, 'sleep 20')];
  const left = [{ pid: 43, command: 'sleep 20', why: 'not permitted' }];
  expect(receiptLines({ ...receipt, proof: 'unproved', signals, left }).slice(1)).toEqual([
    'SIGTERM was sent to 2: bash, sleep 20',
    'left 43 sleep 20: not permitted',
  ]);
});

test('names are bounded, in number and in length; one that was not written down is its pid', () => {
  const many = Array.from({ length: 64 }, (_, i) => sent(100 + i, i === 0 ? null : `node ${'x'.repeat(99)}`));
  const [, line = ''] = receiptLines({ ...receipt, signals: many });
  expect(line).toMatch(/^at least 64 ended by SIGTERM: pid 100, node x{34}…, .*, 56 more$/);
  const killed = many.map(({ pid }) => ({ pid, command: '\u001b[31mred' }));
  expect(receiptLines({ ...receipt, killed, killedUnlisted: 7 })[1]).toMatch(/^71 ended by SIGKILL: red, .*, 63 more$/);
});

test('a mechanism is not named where none is on record', () => {
  const told = { ...receipt, mechanism: null };
  expect(receiptLines({ ...told, proof: 'nothing-started' })).toEqual(['nothing was running; 12ms']);
  expect(receiptLines({ ...told, proof: 'observed' })).toEqual([
    'no process was found, but that is no proof; mechanism unknown, 12ms',
  ]);
});

import { ApplicationFailure } from '@temporalio/common';
import { namedEnd } from '../../worker/named-end.ts';

const from = { workflowId: 'widgets-k3f9x', runId: 'e', sdkComponent: 'worker' };
const failure = (type: string, message: string): ApplicationFailure =>
  ApplicationFailure.create({ message, type, nonRetryable: true });
/** As the workflows' thread sends it. */
const copyOf = (error: Error): unknown => structuredClone(error);

test('a run that ended is one short line, without a stack', () => {
  const error = copyOf(failure('usage-unknown', `the agent reported no cost,\nso ${'x'.repeat(2_000)}`));
  const { level, message, meta } = namedEnd({ level: 'WARN', message: 'Workflow failed', meta: { ...from, error } });
  expect({ level, meta }).toEqual({ level: 'INFO', meta: from });
  expect(message).toMatch(/^run widgets-k3f9x ended: the agent reported no cost, so x+… \(ralph why widgets-k3f9x\)$/);
  expect(message.length).toBeLessThan(400);
});

test('so is a step that could not go on for a reason with a name', () => {
  const error = failure('attempt-superseded', 'too late');
  expect(namedEnd({ level: 'WARN', message: 'Activity failed', meta: { ...from, error } })).toEqual({
    level: 'WARN',
    message: 'step ended: attempt-superseded: too late',
    meta: from,
  });
});

test.each([
  ['a defect of a step', 'Activity failed', failure('internal', 'x is not a function')],
  ['a defect of a workflow', 'Workflow failed', copyOf(new TypeError('x is not a function'))],
  ['what is no end', 'Failed to poll', failure('usage-unknown', 'm')],
])('%s keeps its stack', (_what, message, error) => {
  const entry = { level: 'WARN', message, meta: { ...from, error } } as const;
  expect(namedEnd(entry)).toBe(entry);
});

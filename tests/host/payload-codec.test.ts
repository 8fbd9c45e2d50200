import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload, type SerializationContext } from '@temporalio/common';
import { payloadCodec } from '../../host/keys/payload-codec.ts';
import { whyRejected } from '../../schemas/loop/rejected-payload.ts';

const key = randomBytes(32);
const codec = payloadCodec(key);
const workflow: SerializationContext = { type: 'workflow', namespace: 'default', workflowId: 'run-1' };
const activity: SerializationContext = {
  type: 'activity',
  namespace: 'default',
  workflowId: 'run-1',
  activityId: '5',
  isLocal: false,
};

const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const valueOf = (payload: Payload): unknown => defaultPayloadConverter.fromPayload(payload);

async function sign(value: unknown, context: SerializationContext): Promise<Payload> {
  const [payload] = await codec.encode([payloadOf(value)], context);
  if (payload === undefined) throw new Error('no payload');
  return payload;
}

async function read(payload: Payload, context: SerializationContext | undefined): Promise<unknown> {
  const [decoded] = await codec.decode([payload], context);
  if (decoded === undefined) throw new Error('no payload');
  return valueOf(decoded);
}

test.each([workflow, activity])(
  'what was signed for a $type is read back for it, and stays readable as JSON',
  async (context) => {
    const signed = await sign({ report: 'ü\n' }, context);
    expect(valueOf(signed)).toEqual({ report: 'ü\n' });
    expect(await read(signed, context)).toEqual({ report: 'ü\n' });
    expect(whyRejected(await read(signed, context))).toBeNull();
  },
);

test.each<[string, SerializationContext]>([
  ['another workflow', { ...activity, workflowId: 'run-2' }],
  ['another namespace', { ...activity, namespace: 'other' }],
  ['another activity', { ...activity, activityId: '6' }],
  ['the workflow itself', workflow],
  ['an activity whose names join to the same text', { ...activity, workflowId: 'run-15', activityId: '' }],
])('a payload of one activity is refused as that of %s', async (_, context) => {
  const signed = await sign('report', activity);
  expect(whyRejected(await read(signed, context))).toMatch(/a signature that does not fit/);
});

test('an unsigned payload is refused, and the reason names its owner', async () => {
  expect(whyRejected(await read(payloadOf('forged'), activity))).toMatch(
    /^A payload of activity 5 of workflow run-1 carries no signature/,
  );
});

test('a payload signed with another key is refused', async () => {
  const [foreign] = await payloadCodec(randomBytes(32)).encode([payloadOf('forged')], workflow);
  expect(whyRejected(await read(foreign ?? {}, workflow))).not.toBeNull();
});

test('a changed payload is refused, whatever of it was changed', async () => {
  const signed = await sign({ status: 'continue' }, workflow);
  const changed: Payload[] = [
    { ...signed, data: Buffer.from('{"status":"complete"}') },
    { ...signed, metadata: { ...signed.metadata, encoding: Buffer.from('binary/plain') } },
    { ...signed, metadata: { ...signed.metadata, more: Buffer.from('x') } },
    { ...signed, metadata: { ...signed.metadata, 'ralph-mac': Buffer.from('short') } },
  ];
  for (const payload of changed) expect(whyRejected(await read(payload, workflow))).not.toBeNull();
});

test('a payload whose owner the reader does not say is refused', async () => {
  expect(whyRejected(await read(await sign('x', workflow), undefined))).toMatch(/unknown owner/);
});

test('nothing is signed for an unknown owner', async () => {
  await expect(codec.encode([payloadOf('x')])).rejects.toThrow(/names none/);
});

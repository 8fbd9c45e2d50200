import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import type { RejectedPayload } from '../../schemas/loop/rejected-payload.ts';

const MAC = 'ralph-mac';

/**
 * Signs what our client and worker write with HMAC-SHA256, bound to namespace, workflow and, where it is an activity's,
 * to that activity; the encoding stays what it was, so that Temporal's own page and replays read it. Whoever reaches
 * the server's port without the key can forge nothing: a payload that is unsigned, changed, or another's comes out of
 * `decode` as a RejectedPayload (see there why it does not throw). Search attributes, headers and a failure's message
 * pass through no codec: trust nothing that stands in them. Nor is the absence of a payload signed: an activity's
 * result that matters is never `undefined`.
 */
export function payloadCodec(key: Uint8Array): PayloadCodec {
  return {
    async encode(payloads, context) {
      return payloads.map((payload) => ({
        ...payload,
        metadata: { ...payload.metadata, [MAC]: mac(key, payload, context) },
      }));
    },
    async decode(payloads, context) {
      return payloads.map((payload) => (isSigned(key, payload, context) ? payload : rejected(payload, context)));
    },
  };
}

function isSigned(key: Uint8Array, payload: Payload, context: SerializationContext | undefined): boolean {
  const stated = payload.metadata?.[MAC];
  if (stated === undefined || stated === null || context === undefined) return false;
  const expected = mac(key, payload, context);
  return stated.length === expected.length && timingSafeEqual(stated, expected);
}

function mac(key: Uint8Array, payload: Payload, context: SerializationContext | undefined): Buffer {
  const hmac = createHmac('sha256', key);
  // Every part goes in with its length: no two lists of parts give the same bytes.
  const add = (part: string | Uint8Array): void => {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hmac.update(length).update(bytes);
  };
  for (const part of binding(context)) add(part);
  const metadata = Object.entries(payload.metadata ?? {}).filter(([name]) => name !== MAC);
  for (const [name, value] of metadata.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    add(name);
    add(value);
  }
  add('data');
  add(payload.data ?? new Uint8Array());
  return hmac.digest();
}

function binding(context: SerializationContext | undefined): string[] {
  if (context?.workflowId === undefined) {
    throw new Error('A payload can only be signed for a workflow; this call of the SDK names none.');
  }
  const { namespace, workflowId } = context;
  switch (context.type) {
    case 'workflow':
      return ['ralph-payload-1', 'workflow', namespace, workflowId];
    case 'activity':
      if (context.activityId === undefined) throw new Error(`An activity of ${workflowId} has no id to sign for.`);
      return ['ralph-payload-1', 'activity', namespace, workflowId, context.activityId];
    default:
      return context satisfies never;
  }
}

function rejected(payload: Payload, context: SerializationContext | undefined): Payload {
  const owner = context === undefined ? 'an unknown owner' : ownerOf(context);
  const why = payload.metadata?.[MAC] === undefined ? 'carries no signature' : 'carries a signature that does not fit';
  const value: RejectedPayload = {
    rejectedPayload: `A payload of ${owner} ${why}: it was not written by a client or worker with this RALPH_HOME's key.`,
  };
  return { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(value)) };
}

function ownerOf(context: SerializationContext): string {
  const workflow = `workflow ${String(context.workflowId)}`;
  return context.type === 'activity' ? `activity ${String(context.activityId)} of ${workflow}` : workflow;
}

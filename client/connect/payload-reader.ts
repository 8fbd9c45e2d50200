import {
  defaultPayloadConverter,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
} from '@temporalio/common';

/** Reads values that stand in raw answers of the server, each as its owner's, signature and all. */
export interface PayloadReader {
  workflow(workflowId: string, payload: Payload | null | undefined): Promise<unknown>;
  activity(owner: { workflowId: string; activityId: string }, payload: Payload | null | undefined): Promise<unknown>;
}

/** A value that is missing reads null; one whose signature does not fit reads as a RejectedPayload. */
export function payloadReader(codec: PayloadCodec, namespace: string): PayloadReader {
  const read = async (payload: Payload | null | undefined, context: SerializationContext): Promise<unknown> => {
    if (payload === null || payload === undefined) return null;
    const [decoded] = await codec.decode([payload], context);
    return decoded === undefined ? null : defaultPayloadConverter.fromPayload(decoded);
  };
  return {
    workflow: (workflowId, payload) => read(payload, { type: 'workflow', namespace, workflowId }),
    activity: ({ workflowId, activityId }, payload) =>
      read(payload, { type: 'activity', namespace, workflowId, activityId, isLocal: false }),
  };
}

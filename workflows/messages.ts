import { defineSignal } from '@temporalio/workflow';

/** Sent right before a cancel: why the user cancels. Temporal's cancel carries no text to the workflow. */
export const cancelReasonSignal = defineSignal<[reason: string]>('cancelReason');

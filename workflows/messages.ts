import { defineSignal } from '@temporalio/workflow';
import type { ControlMessage } from '../schemas/loop/control.ts';

/** Sent right before a cancel: why the user cancels. Temporal's cancel carries no text to the workflow. */
export const cancelReasonSignal = defineSignal<[reason: string]>('cancelReason');

/** What a person tells a live run. */
export const controlSignal = defineSignal<[message: ControlMessage]>('control');

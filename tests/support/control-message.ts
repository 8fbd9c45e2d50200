import { randomUUID } from 'node:crypto';
import type { Control, ControlMessage } from '../../schemas/loop/control.ts';

/** A control as a client sends it. */
export const message = (control: Control): ControlMessage => ({ nonce: randomUUID(), control });

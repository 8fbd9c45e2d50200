import type { Context } from 'hono';
import { z } from 'zod';
import { RalphError } from '../../schemas/errors/index.ts';
import { visible } from '../../system/printable.ts';

/** A document as JSON. What agents wrote in it is made visible: control characters, and those that turn reading order. */
export function documentText(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => (typeof each === 'string' ? visible(each) : each));
}

/** Why something could not be answered; the command line says the same. */
export interface Problem {
  readonly code: string;
  readonly message: string;
}

type ProblemStatus = 400 | 404 | 409 | 500 | 503;

/** A defect is written to the log and not shown: its text may quote anything. */
export function problemOf(error: unknown): { status: ProblemStatus; problem: Problem } {
  if (error instanceof RalphError) {
    const { code, message } = error;
    const status = code.startsWith('no-such-') ? 404 : error.exit === 4 ? 503 : 409;
    return { status, problem: { code, message } };
  }
  if (error instanceof z.ZodError) {
    return {
      status: 400,
      problem: { code: 'bad-request', message: `The request is not valid: ${z.prettifyError(error)}` },
    };
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  const message = 'This is a defect of durable-ralph. The log of the page says where it happened.';
  return { status: 500, problem: { code: 'internal', message } };
}

/** Answer with a document. */
export async function answer(context: Context, make: () => Promise<unknown>): Promise<Response> {
  try {
    return json(context, await make(), 200);
  } catch (error) {
    const { status, problem } = problemOf(error);
    return json(context, { problem }, status);
  }
}

const json = (context: Context, document: unknown, status: 200 | ProblemStatus): Response =>
  context.body(documentText(document), status, { 'content-type': 'application/json; charset=utf-8' });

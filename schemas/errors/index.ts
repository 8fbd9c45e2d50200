import { agentErrors } from './agent.ts';
import { containmentErrors } from './containment.ts';
import { hostErrors } from './host.ts';
import { chainErrors } from './chain.ts';
import { RalphError } from './ralph-error.ts';
import { repositoryErrors } from './repository.ts';
import { requestErrors } from './request.ts';
import { runErrors } from './run.ts';

/** Every error a user can meet. Each code has a heading in `docs/errors.md`. */
export const errorCatalogue = {
  ...requestErrors,
  ...repositoryErrors,
  ...hostErrors,
  ...agentErrors,
  ...containmentErrors,
  ...runErrors,
  ...chainErrors,
} as const;

type Errors = typeof errorCatalogue;
export type ErrorCode = keyof Errors;
type Facts<C extends ErrorCode> = Parameters<Errors[C]['text']> extends [infer F] ? F : Record<string, never>;

/** Make the error of a code: its text comes from the catalogue, filled with the facts. */
export function ralphError<C extends ErrorCode>(code: C, facts: Facts<C>, options?: ErrorOptions): RalphError {
  // Tied to C by the signature above; a method's parameter lets TypeScript accept the union of entries.
  const entry: { exit: RalphError['exit']; text(facts: unknown): string } = errorCatalogue[code];
  return new RalphError(code, entry.exit, entry.text(facts), options);
}

export { RalphError };

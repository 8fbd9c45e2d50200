import type { FaultCode } from '../../../schemas/round/fault.ts';
import { failed, isDatedLimit, limited, faultOfStatus } from '../../faults/faults.ts';
import type { AgentReading } from '../../provider.ts';
import type { ClaudeResult } from './claude-events.ts';

interface ClaudeEnd {
  readonly result: ClaudeResult;
  /** `error` of the last message that the program made itself. */
  readonly apiError: string | null;
  /** When the usage limit that refused a call ends. */
  readonly limitEnds: Date | null;
  readonly now: Date;
  /** What it was to hand in. */
  readonly asked: string;
}

/** Why a result of Claude Code holds no report: read from its codes, its text is for people. */
export function claudeFault(end: ClaudeEnd): AgentReading['report'] {
  const { result, limitEnds, now, asked } = end;
  const said = result.errors?.join('; ') ?? result.result ?? result.subtype;
  const code = faultCode(end);
  if (limitEnds !== null && code === 'usage-limited') return failed(code, said, limitEnds);
  if (code === 'rate-limited' || code === 'usage-limited') {
    return limited(isDatedLimit(429, said, now) ? 'usage-limited' : code, said, { said, now });
  }
  if (code === 'agent-crashed' && isDatedLimit(result.api_error_status ?? null, said, now)) {
    return limited('usage-limited', said, { said, now });
  }
  return failed(code, `Claude Code gave no ${asked}: ${said}`, null);
}

function faultCode({ result, apiError, limitEnds }: ClaudeEnd): FaultCode {
  if (result.terminal_reason === 'structured_output_retry_exhausted') return 'report-invalid';
  if (result.subtype === 'error_max_structured_output_retries') return 'report-invalid';
  if (!result.is_error) return 'report-missing';
  if (result.stop_reason === 'refusal') return 'refusal';
  if (result.terminal_reason === 'prompt_too_long') return 'context-too-long';
  if (result.api_error === 'connection_failed') return 'network';
  if (limitEnds !== null) return 'usage-limited';
  const stated = apiError === null ? undefined : API_ERRORS[apiError];
  if (stated !== undefined) return stated;
  return result.api_error_status == null ? 'agent-crashed' : faultOfStatus(result.api_error_status);
}

const API_ERRORS: Readonly<Record<string, FaultCode>> = {
  authentication_failed: 'bad-credentials',
  oauth_org_not_allowed: 'bad-credentials',
  account_on_hold: 'bad-credentials',
  verification_required: 'bad-credentials',
  cloud_credential_error: 'bad-credentials',
  billing_error: 'no-credit',
  rate_limit: 'rate-limited',
  overloaded: 'model-overloaded',
  model_not_found: 'agent-unavailable',
};

import type { FaultCode } from '../../../schemas/round/fault.ts';
import { answered, failed, isDatedLimit, limited } from '../../faults/faults.ts';
import type { AgentReading } from '../../provider.ts';
import type { ClaudeResult, ClaudeRetry } from './claude-events.ts';

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

/** Why a result of Claude Code holds no report: read from its codes, then from the server's own sentence. */
export function claudeFault(end: ClaudeEnd): AgentReading['report'] {
  const { result, limitEnds, now, asked } = end;
  const said = result.errors?.join('; ') ?? result.result ?? result.subtype;
  const code = faultCode(end);
  if (limitEnds !== null && code === 'usage-limited') return failed(code, said, limitEnds);
  if (code === 'rate-limited' || code === 'usage-limited') {
    return limited(isDatedLimit(429, said, now) ? 'usage-limited' : code, said, { said, now });
  }
  const message = `Claude Code gave no ${asked}: ${said}`;
  const status = result.api_error_status ?? null;
  return answered({ status, said: said.replace(ITS_OWN_WORDS, ''), message, known: code }, now);
}

/** What it puts before the sentence of the server. */
const ITS_OWN_WORDS = /^(?:Failed to authenticate\. )?API Error: (?:\d{3} )?/;

/**
 * Why Claude Code cannot get an answer, by what it says when it tries again; null: another try may get one. A login it
 * renews itself after the first rejection, a key stays what it is.
 */
export function hopelessRetry(
  { error, error_status: status, attempt }: ClaudeRetry,
  { usesLogin, asked }: { usesLogin: boolean; asked: string },
): AgentReading['report'] | null {
  const code = error === undefined ? undefined : API_ERRORS[error];
  if (error === undefined || code === undefined || !HOPELESS.has(code) || attempt < (usesLogin ? 2 : 1)) return null;
  const rejected = `Claude Code gave no ${asked}: the model's server rejects its requests: ${error}`;
  const message = status == null ? rejected : `${rejected} (HTTP ${status})`;
  return answered({ status: status ?? null, said: '', message, known: code }, new Date());
}

/** What no further try with the same key and model changes. */
const HOPELESS: ReadonlySet<FaultCode> = new Set(['bad-credentials', 'no-credit', 'agent-unavailable']);

/** Null: the status and the words of the server's answer decide. */
function faultCode({ result, apiError, limitEnds }: ClaudeEnd): FaultCode | null {
  if (result.terminal_reason === 'structured_output_retry_exhausted') return 'report-invalid';
  if (result.subtype === 'error_max_structured_output_retries') return 'report-invalid';
  if (!result.is_error) return 'report-missing';
  if (result.stop_reason === 'refusal') return 'refusal';
  if (result.terminal_reason === 'prompt_too_long') return 'context-too-long';
  if (limitEnds !== null) return 'usage-limited';
  const kind = result.api_error === undefined ? undefined : KINDS[result.api_error];
  return kind ?? (apiError === null ? null : (API_ERRORS[apiError] ?? null));
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

/** `api_error` of a result, where the program knows the kind of the error. */
const KINDS: Readonly<Record<string, FaultCode>> = {
  connection_failed: 'network',
  no_response: 'network',
  stream_idle_timeout: 'network',
  computer_slept: 'network',
  tls_untrusted_ca: 'agent-unavailable',
  tls_cert_signature_failure: 'agent-unavailable',
  network_edge_blocked: 'agent-unavailable',
  claude_code_version_too_old: 'agent-unavailable',
  no_allowed_fallback: 'agent-unavailable',
  model_substitution_disabled: 'agent-unavailable',
  field_not_granted: 'agent-unavailable',
  advisor_incompatible: 'agent-unavailable',
  effort_requires_thinking: 'agent-unavailable',
  provider_credentials: 'bad-credentials',
  gateway_signin_required: 'bad-credentials',
  gateway_session_expired: 'bad-credentials',
  api_key_auth_disabled: 'bad-credentials',
  org_disabled_credential: 'bad-credentials',
  invalid_credential_header: 'bad-credentials',
  named_profile_unusable: 'bad-credentials',
  stored_login_refused: 'bad-credentials',
  oauth_refresh_store_refused: 'bad-credentials',
  model_requires_usage_credits: 'no-credit',
  long_context_credits_required: 'no-credit',
  consent_unanswered: 'no-credit',
  usage_limit_reached: 'usage-limited',
  safety_monitor_blocked: 'refusal',
  dlp_request_denied: 'refusal',
  message_over_context_limit: 'context-too-long',
  autocompact_thrashing: 'context-too-long',
};

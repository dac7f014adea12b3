// The words that the gateway and its clients have in common, on the wire.

/** On a tool: what the gateway makes of it, with the source of every hint. */
export const META_EFFECTIVE = 'io.hintgate/effective'

/** On a request: which session of its caller it belongs to. */
export const META_SESSION = 'io.hintgate/session'

/** Under this name the gateway's question to a person travels among those of a server. */
export const CONFIRM_FORM = 'hintgate-confirm'

/** How a call can be refused. Stable: agents rely on them. */
export const REFUSAL_CODES = [
  'unknown_tool',
  'permission_denied',
  'intent_mismatch',
  'invalid_arguments',
  'quarantined',
  'policy_denied',
  'guardrail_blocked',
  'trifecta',
  'confirmation_required',
  'confirmation_denied',
  'confirmation_expired',
  'rate_limited',
  'upstream_unavailable',
  'upstream_timeout',
  'upstream_protocol',
  'result_too_large',
  'overloaded',
] as const

export type RefusalCode = (typeof REFUSAL_CODES)[number]

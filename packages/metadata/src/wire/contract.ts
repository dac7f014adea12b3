// Names that the gateway and its clients share on the wire.

/** On a tool: the gateway's effective record, which has the source of every hint. */
export const META_EFFECTIVE = 'io.hintgate/effective'

/** On a request: the session to which the request belongs. */
export const META_SESSION = 'io.hintgate/session'

/** On a request: the task in the user's own words. A client can send it once per session. */
export const META_TASK = 'io.hintgate/task'

/** A key in the gateway's own approval form. It distinguishes that form from a server's questions. */
export const CONFIRM_FORM = 'hintgate-confirm'

/** The codes of refused calls. They are stable, because agents rely on them. */
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

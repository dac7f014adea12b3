// Names that the gateway and its clients share on the wire.

/** On a tool: the gateway's effective record, with the source of every hint. */
export const META_EFFECTIVE = 'io.hintgate/effective'

/** On a request: the session of its caller that it belongs to. */
export const META_SESSION = 'io.hintgate/session'

/** On a request: the user's own words, which a client may state once for each session. */
export const META_TASK = 'io.hintgate/task'

/** The key of the gateway's own question to a person, among the questions of a server. */
export const CONFIRM_FORM = 'hintgate-confirm'

/** How a call can be refused. Stable: agents rely on these codes. */
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

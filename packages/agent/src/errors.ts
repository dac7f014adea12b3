import type { Reason, RefusalCode } from '@hintgate/metadata'

/** How a call can end without an answer, beside the ways in which a gateway refuses one. */
const OWN_CODES = {
  options_invalid: 'Correct the options; every problem is in the message.',
  tool_changed: 'Look at the changes, then give a `confirm` callback, or call `accept` for this tool.',
  connect_failed: 'See whether the server starts, its URL is right, and its credential is good.',
  rpc_error: 'The server refused the request itself; see `rpc`.',
  invalid_result:
    'The server answered something else than its definition promises; whether it acted is unknown.',
  audit_failed: 'Nothing was sent: the audit hook must take the intent first. Mend the hook.',
  cancelled: 'The caller called it off. A call that was sent may still have been executed.',
  not_run: 'A call before this one failed, so this one was left out. Mend that one first.',
  closed: 'The agent was closed. Connect again.',
} as const

const REMEDIES: Readonly<Record<RefusalCode, string>> = {
  unknown_tool: 'Take a name from tools().',
  permission_denied: 'Ask the operator for a token with that permission.',
  intent_mismatch: 'Call it with the variant that the tool has.',
  invalid_arguments: 'Correct the arguments by the input schema.',
  quarantined: 'Ask the operator to review it.',
  policy_denied: 'See the reasons, and ask the operator.',
  guardrail_blocked: 'See the reasons, and change the arguments.',
  trifecta: 'Start a new session for what leads outside.',
  confirmation_required: 'Give a `confirm` callback, or have somebody approve it where the message says.',
  confirmation_denied: 'A person said no. Do not try it again.',
  confirmation_expired: 'Ask again.',
  rate_limited: 'Wait, then try again.',
  upstream_unavailable: 'See whether the server runs.',
  upstream_timeout: 'Whether it was executed is unknown: check before you repeat it.',
  upstream_protocol: 'The server does not speak MCP as it should.',
  result_too_large: 'Ask for less.',
  overloaded: 'Wait, then try again.',
}

export type AgentErrorCode = RefusalCode | keyof typeof OWN_CODES

/** Codes are stable: loops and scripts rely on them. */
export const AGENT_ERRORS: Readonly<Record<AgentErrorCode, string>> = { ...REMEDIES, ...OWN_CODES }

export interface ErrorFacts {
  readonly tool?: string
  readonly server?: string
  /** What it rests on. */
  readonly reasons?: readonly Reason[]
  /** Whether the server may have done what it was asked to. Absent: it was not asked. */
  readonly mayHaveRun?: boolean
  readonly attempts?: number
  /** The server's own error, where it sent one. */
  readonly rpc?: { readonly code: number; readonly message: string; readonly data?: unknown }
  /** Where somebody can say yes, when a gateway waits for it. */
  readonly approval?: { readonly id: string; readonly expires: string; readonly approve: string }
  readonly remedy?: string
  readonly cause?: unknown
}

/**
 * The one way in which this package says no.
 *
 * @example
 * import { AgentError } from '@hintgate/agent'
 * new AgentError('unknown_tool', 'There is no tool files:rm').remedy // => 'Take a name from tools().'
 */
export class AgentError extends Error {
  override readonly name = 'AgentError'
  readonly code: AgentErrorCode
  readonly facts: ErrorFacts

  constructor(code: AgentErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = code
    this.facts = facts
  }

  /** What to do about it. */
  get remedy(): string {
    return this.facts.remedy ?? AGENT_ERRORS[this.code]
  }

  get reasons(): readonly Reason[] {
    return this.facts.reasons ?? []
  }

  get mayHaveRun(): boolean {
    return this.facts.mayHaveRun ?? false
  }
}

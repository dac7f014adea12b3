import type { Reason, RefusalCode } from '@hintgate/metadata'

/** The package's own error codes. Errors can also have the refusal codes of a gateway. */
const OWN_CODES = {
  options_invalid: 'Fix the options. The message lists every problem.',
  tool_changed: 'Review the change, then pass a `confirm` callback or call `accept` for this tool.',
  connect_failed: 'Check that the server starts, and that its URL and credential are valid.',
  rpc_error: "Read the server's error in `facts.rpc`.",
  invalid_result:
    "The result does not match the tool's definition. The call may have been executed: check before you repeat it.",
  audit_failed: 'Fix the audit hook. Nothing was sent, because the hook must accept the intent first.',
  cancelled: 'If the call was already sent, check whether it was executed before you repeat it.',
  not_run: 'Fix the call that failed, then repeat this one.',
  closed: 'Connect again.',
} as const

const REMEDIES: Readonly<Record<RefusalCode, string>> = {
  unknown_tool: 'Use a name from tools().',
  permission_denied: 'Ask the operator for a token with this permission.',
  intent_mismatch: 'Call the tool with its own variant.',
  invalid_arguments: "Change the arguments to match the tool's input schema.",
  quarantined: 'Ask the operator to review the tool.',
  policy_denied: 'Read the reasons, and ask the operator.',
  guardrail_blocked: 'Read the reasons, and change the arguments.',
  trifecta: 'Start a new session for calls that communicate externally.',
  confirmation_required: 'Pass a `confirm` callback, or approve the call where the message says.',
  confirmation_denied: 'Do not repeat the call: a person denied it.',
  confirmation_expired: 'Ask again.',
  rate_limited: 'Wait, then retry.',
  upstream_unavailable: 'Check that the server is running.',
  upstream_timeout: 'Check whether the call was executed before you repeat it.',
  upstream_protocol: "Report the problem to the server's maintainer: it violates the MCP protocol.",
  result_too_large: 'Request less data.',
  overloaded: 'Wait, then retry.',
}

export type AgentErrorCode = RefusalCode | keyof typeof OWN_CODES

/** All codes with their remedies. Codes are stable, because agent loops and scripts rely on them. */
export const AGENT_ERRORS: Readonly<Record<AgentErrorCode, string>> = { ...REMEDIES, ...OWN_CODES }

export interface ErrorFacts {
  readonly tool?: string
  readonly server?: string
  /** The reasons for which the call was refused. */
  readonly reasons?: readonly Reason[]
  /** True if the server may have executed the call. If absent, the call was not sent. */
  readonly mayHaveRun?: boolean
  readonly attempts?: number
  /** The server's own error, if it sent one. */
  readonly rpc?: { readonly code: number; readonly message: string; readonly data?: unknown }
  /** The approval that the gateway is waiting for, with the place where a person can give it. */
  readonly approval?: { readonly id: string; readonly expires: string; readonly approve: string }
  readonly remedy?: string
  readonly cause?: unknown
}

/**
 * The error class of this package. Every error has a code and a remedy.
 *
 * @example
 * import { AgentError } from '@hintgate/agent'
 * new AgentError('unknown_tool', 'Unknown tool files:rm').remedy // => 'Use a name from tools().'
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

  /** Advice on how to solve the problem. */
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

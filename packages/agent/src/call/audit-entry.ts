import type { CallVariant, Reason, Severity } from '@hintgate/metadata'
import type { AgentErrorCode } from '../errors.ts'
import type { Json } from '../json.ts'

interface About {
  /** The id that the intent and the outcome of a call share. */
  readonly request: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly tool: string
  readonly variant: CallVariant | undefined
  /**
   * Depends on what the call could do: `info` for reads, `notice` for writes, `warning` for destructive calls, as in
   * the gateway's log.
   */
  readonly severity: Severity
  readonly fingerprint: string | undefined
  /** The arguments as they were sent. They can contain secrets, so mask them before storing. */
  readonly args: Json
  readonly reasons: readonly Reason[]
}

/** An entry for the audit hook: the intent before a call is sent, or the outcome after it. */
export type AuditEntry =
  | (About & { readonly kind: 'intent' })
  | (About & {
      readonly kind: 'outcome'
      /** `tool_error` means that the tool ran and reported an error. */
      readonly outcome: 'answered' | 'tool_error' | 'refused' | 'failed'
      readonly confirmed: boolean
      readonly code?: AgentErrorCode
      readonly mayHaveRun: boolean
      readonly attempts: number
      readonly durationMs: number
    })

import type { CallVariant, Reason } from '@hintgate/metadata'
import type { AgentErrorCode } from '../errors.ts'
import type { Json } from '../json.ts'

interface About {
  /** The same id in the intent and the outcome of a call. */
  readonly request: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly tool: string
  readonly variant: CallVariant | undefined
  readonly fingerprint: string | undefined
  /** As sent. They may hold secrets: mask them before you store them. */
  readonly args: Json
  readonly reasons: readonly Reason[]
}

/** What the audit hook receives: that a call is about to be sent, and how it ended. */
export type AuditEntry =
  | (About & { readonly kind: 'intent' })
  | (About & {
      readonly kind: 'outcome'
      /** `tool_error`: the tool ran and reported an error. */
      readonly outcome: 'answered' | 'tool_error' | 'refused' | 'failed'
      readonly confirmed: boolean
      readonly code?: AgentErrorCode
      readonly mayHaveRun: boolean
      readonly attempts: number
      readonly durationMs: number
    })

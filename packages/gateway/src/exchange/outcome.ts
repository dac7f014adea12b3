import type { CallVariant, RefusalCode as WireCode } from '@hintgate/metadata'
import { type ErrorCode, pageOf } from '../base/errors.ts'
import type { Reason } from '../policy/facts/facts.ts'
import type { Json, RpcError } from '../protocol/messages.ts'

/** The codes of the error catalogue with which a call can end. */
export type RefusalCode = Extract<ErrorCode, WireCode>

export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  /** The tool's name as the caller typed it, never text from a tool definition. */
  readonly tool: string
  readonly variant?: CallVariant
  readonly verdict: 'deny' | 'confirm' | 'failed'
  readonly reasons: readonly Reason[]
  readonly remedy: string
  /** Set with `invalid_arguments`: the field, the value that it expects, and the schema of that field. */
  readonly field?: string
  readonly expected?: string
  readonly schema?: unknown
  /** Set with `confirmation_required`: the open approval. */
  readonly approval?: { readonly id: string; readonly expires: string; readonly approve: string }
}

/** How a call ended. Every ending is a value and not an exception, so every ending can be recorded. */
export type Outcome =
  /** `text` is the JSON text of `result`. Code that changes `result` must remove `text`. */
  | {
      readonly kind: 'answered'
      readonly result: Json
      readonly text?: string | undefined
      /** The length of the server's message in bytes, not counting what the gateway adds. */
      readonly bytes?: number | undefined
    }
  | { readonly kind: 'error'; readonly error: RpcError }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'cancelled' }

/** Returns a refusal as a tool result, which an agent can read and act on. */
export function refusalResult(refusal: Refusal): Json {
  const text = `${refusal.message} ${refusal.remedy}`
  return {
    content: [{ type: 'text', text }],
    structuredContent: { error: refusalBody(refusal) },
    isError: true,
  }
}

/** Returns the refusal as shown to the caller, with a link to the documentation of its code. */
export function refusalBody(refusal: Refusal): Json {
  return { ...refusal, docs: pageOf(refusal.code) }
}

import type { CallVariant, RefusalCode as WireCode } from '@hintgate/metadata'
import { type ErrorCode, pageOf } from '../base/errors.ts'
import type { Reason } from '../policy/facts/facts.ts'
import type { Json, RpcError } from '../protocol/messages.ts'

/** The codes of the catalogue that a call can end with. */
export type RefusalCode = Extract<ErrorCode, WireCode>

export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  /** The name that the caller typed, never text from a definition. */
  readonly tool: string
  readonly variant?: CallVariant
  readonly verdict: 'deny' | 'confirm' | 'failed'
  readonly reasons: readonly Reason[]
  readonly remedy: string
  /** With `invalid_arguments`: the field, the value that it expects, and that part of the schema. */
  readonly field?: string
  readonly expected?: string
  readonly schema?: unknown
  /** With `confirmation_required`: the open approval. */
  readonly approval?: { readonly id: string; readonly expires: string; readonly approve: string }
}

/** How a call ended. Every ending is a value, so that every ending can be recorded. */
export type Outcome =
  /** `text` is the same result as JSON, so code that changes one must drop the other. */
  | {
      readonly kind: 'answered'
      readonly result: Json
      readonly text?: string | undefined
      /** The length of the server's message, without anything that the gateway adds. */
      readonly bytes?: number | undefined
    }
  | { readonly kind: 'error'; readonly error: RpcError }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'cancelled' }

/** A refusal as a tool result, so that an agent can read it and act on it. */
export function refusalResult(refusal: Refusal): Json {
  const text = `${refusal.message} ${refusal.remedy}`
  return {
    content: [{ type: 'text', text }],
    structuredContent: { error: refusalBody(refusal) },
    isError: true,
  }
}

/** The refusal as the caller reads it, with the address of its code's page. */
export function refusalBody(refusal: Refusal): Json {
  return { ...refusal, docs: pageOf(refusal.code) }
}

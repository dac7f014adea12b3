import type { CallVariant, RefusalCode as WireCode } from '@hintgate/metadata'
import { type ErrorCode, pageOf } from '../base/errors.ts'
import type { Reason } from '../policy/facts/facts.ts'
import type { Json, RpcError } from '../protocol/messages.ts'

/** The codes of the catalogue that a call can end with. */
export type RefusalCode = Extract<ErrorCode, WireCode>

export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  /** What the caller typed, never what a definition says. */
  readonly tool: string
  readonly variant?: CallVariant
  readonly verdict: 'deny' | 'confirm' | 'failed'
  readonly reasons: readonly Reason[]
  readonly remedy: string
  /** With `invalid_arguments`: where, what belongs there, and the part of the schema that says so. */
  readonly field?: string
  readonly expected?: string
  readonly schema?: unknown
  /** With `confirmation_required`: what waits for whom. */
  readonly approval?: { readonly id: string; readonly expires: string; readonly approve: string }
}

/** How a call ended. Every ending is a value, so that every ending can be recorded. */
export type Outcome =
  /** `text`: the result as JSON that says exactly what `result` does; whoever changes the one drops the other. */
  | {
      readonly kind: 'answered'
      readonly result: Json
      readonly text?: string | undefined
      /** How long the server's message was; that stays so whatever is written beside it. */
      readonly bytes?: number | undefined
    }
  | { readonly kind: 'error'; readonly error: RpcError }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'cancelled' }

/** A refusal as a tool result, so that an agent can read it and act on it. */
export function refusalResult(refusal: Refusal): Json {
  const text = `${refusal.message} ${refusal.remedy}`
  return { content: [{ type: 'text', text }], structuredContent: { error: toldOf(refusal) }, isError: true }
}

/** What the caller reads of a refusal: all of it, and where more is written about its code. */
export function toldOf(refusal: Refusal): Json {
  return { ...refusal, docs: pageOf(refusal.code) }
}

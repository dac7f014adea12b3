import type { Caller } from '../../exchange/exchange.ts'
import { type Outcome, refusalResult } from '../../exchange/outcome.ts'
import type { Answer } from '../../exchange/surface.ts'
import { beforeResult } from '../../http/answer.ts'
import { toLegacyResult, toModernResult } from '../../protocol/eras.ts'
import type { Id, Json } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { Era } from '../../store/store.ts'

/** The server that a result comes from, in the form in which modern results name it. */
export interface Origin {
  readonly serverInfo: unknown
  readonly era?: Era
}

/**
 * True if a result can pass unchanged because the caller and the server use the same protocol era. The gateway's own
 * results have no `resultType` yet and must be converted.
 */
function isOfEra(caller: Caller, result: Json, origin: Origin | undefined): boolean {
  return origin?.era === caller.era && (caller.era === 'legacy' || result.resultType !== undefined)
}

/** Converts a result to the form that the caller's protocol era uses, if it has a different form. */
export function inEraOf(caller: Caller, method: string, result: Json, origin: Origin | undefined): Answer {
  if (isOfEra(caller, result, origin)) return { result }
  return {
    result:
      caller.era === 'modern' ? toModernResult(method, result, origin?.serverInfo) : toLegacyResult(result),
  }
}

/** Turns the outcome of a call into a protocol answer. */
export function answerOf(outcome: Outcome, caller: Caller, origin: Origin | undefined): Answer {
  switch (outcome.kind) {
    case 'answered':
      return isOfEra(caller, outcome.result, origin) && outcome.text !== undefined
        ? { written: outcome.text }
        : inEraOf(caller, 'tools/call', outcome.result, origin)
    case 'refused':
      return inEraOf(caller, 'tools/call', refusalResult(outcome.refusal), origin)
    case 'error':
      return { error: outcome.error }
    case 'cancelled':
      return { cancelled: true }
  }
}

/**
 * Writes an answer as a JSON-RPC response. Long results arrive already written as JSON, because writing them again
 * would be most of the work.
 */
export function writeAnswer(id: Id, answer: Exclude<Answer, { cancelled: true }>): string {
  if ('bytes' in answer) return `${beforeResult(id)}${answer.bytes.toString()}}`
  if ('written' in answer) return `${beforeResult(id)}${answer.written}}`
  return 'result' in answer
    ? writeJson({ jsonrpc: '2.0', id, result: answer.result })
    : writeJson({ jsonrpc: '2.0', id, error: answer.error })
}

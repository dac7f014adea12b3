import type { Caller } from '../../exchange/exchange.ts'
import { type Outcome, refusalResult } from '../../exchange/outcome.ts'
import type { Answer, Surface } from '../../exchange/surface.ts'
import { beforeResult } from '../../http/answer.ts'
import { toLegacyResult, toModernResult } from '../../protocol/eras.ts'
import type { Id, Json } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { Era } from '../../store/store.ts'
import { explainFault } from '../wire/explain-fault.ts'

/** Who is speaking, as modern results say. */
export interface Origin {
  readonly serverInfo: unknown
  readonly era?: Era
}

/** What a server of the same era says passes as it is. (What we say ourselves has no `resultType` yet.) */
function isOfEra(caller: Caller, result: Json, origin: Origin | undefined): boolean {
  return origin?.era === caller.era && (caller.era === 'legacy' || result.resultType !== undefined)
}

/** A result as a client of the caller's era must find it. */
export function inEraOf(caller: Caller, method: string, result: Json, origin: Origin | undefined): Answer {
  if (isOfEra(caller, result, origin)) return { result }
  return {
    result:
      caller.era === 'modern' ? toModernResult(method, result, origin?.serverInfo) : toLegacyResult(result),
  }
}

/** The outcome of the corridor, in the words of the protocol. */
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

/** A surface whose faults end in the log; the client learns only that there was one. */
export function guardSurface(
  surface: Surface,
  onError: (error: unknown, requestId: string) => void,
): Surface {
  return {
    describe: caller => surface.describe(caller),
    handle: exchange =>
      surface.handle(exchange).catch((error: unknown) => {
        onError(error, exchange.requestId)
        return { error: explainFault(error).error }
      }),
    receive: (caller, notification) => surface.receive(caller, notification),
    watch: (caller, onNotification) => surface.watch(caller, onNotification),
    admit: wanted =>
      surface.admit(wanted).catch((error: unknown) => {
        onError(error, wanted.requestId)
        return explainFault(error).error
      }),
    watchResources: (caller, uris) => surface.watchResources(caller, uris),
    checkParamHeaders: (caller, params, request) => surface.checkParamHeaders(caller, params, request),
    release: caller => surface.release(caller),
  }
}

/** An answer as a JSON-RPC response. Long results come written already: writing them anew would be most of the work. */
export function writeAnswer(id: Id, answer: Exclude<Answer, { cancelled: true }>): string {
  if ('bytes' in answer) return `${beforeResult(id)}${answer.bytes.toString()}}`
  if ('written' in answer) return `${beforeResult(id)}${answer.written}}`
  return 'result' in answer
    ? writeJson({ jsonrpc: '2.0', id, result: answer.result })
    : writeJson({ jsonrpc: '2.0', id, error: answer.error })
}

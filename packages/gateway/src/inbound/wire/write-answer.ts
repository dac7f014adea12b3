import type { Answer } from '../../exchange/surface.ts'
import type { Id } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'

/** An answer as a JSON-RPC response. Long results come written already: writing them anew would be most of the work. */
export function writeAnswer(id: Id, answer: Exclude<Answer, { cancelled: true }>): string {
  if ('bytes' in answer) return `${beforeResult(id)}${answer.bytes.toString()}}`
  if ('written' in answer) return `${beforeResult(id)}${answer.written}}`
  return 'result' in answer
    ? writeJson({ jsonrpc: '2.0', id, result: answer.result })
    : writeJson({ jsonrpc: '2.0', id, error: answer.error })
}

/** What stands in a response before its result; after it comes one brace. */
export function beforeResult(id: Id): string {
  return `{"jsonrpc":"2.0","id":${writeJson(id)},"result":`
}

import type { Id } from '../protocol/messages.ts'
import { writeJson } from '../protocol/parse-json.ts'
import type { Answer } from './surface.ts'

/** An answer as a JSON-RPC response. Long lists come written already: writing them anew would be most of the work. */
export function writeAnswer(id: Id, answer: Exclude<Answer, { cancelled: true }>): string {
  if ('written' in answer) return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${answer.written}}`
  return 'result' in answer
    ? writeJson({ jsonrpc: '2.0', id, result: answer.result })
    : writeJson({ jsonrpc: '2.0', id, error: answer.error })
}

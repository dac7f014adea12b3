import { LIMITS } from '../../admission/limits.ts'
import { RPC, type RpcError } from '../../protocol/messages.ts'

/** Of one call, at once, and in characters: nobody answers more, and they wait in our memory. */
export const { count: MOST_QUESTIONS, length: MOST_ASKED } = LIMITS.questions.ofCall

export const TOO_MUCH: RpcError = {
  code: RPC.internal,
  message: `the client has not answered what was asked before; a call may have ${MOST_QUESTIONS} questions and ${MOST_ASKED} characters of them open`,
}

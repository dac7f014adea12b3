import { RPC, type RpcError } from '../../protocol/messages.ts'

/** Of one call, at once: nobody answers more, and they wait in our memory. */
export const MOST_QUESTIONS = 32
/** In characters. */
export const MOST_ASKED = 8_000_000

export const TOO_MUCH: RpcError = {
  code: RPC.internal,
  message: `the client has not answered what was asked before; a call may have ${MOST_QUESTIONS} questions and ${MOST_ASKED} characters of them open`,
}

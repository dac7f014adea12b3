import type { Json } from '../protocol/messages.ts'
import type { Principal } from '../scope/scope.ts'
import type { PassageMemory } from './passage-memory.ts'
import { statedTask } from './task.ts'

interface StatingCall {
  readonly server: string
  readonly tool: string
  readonly params: Json
  readonly exchange: { readonly requestId: string; readonly caller: { readonly principal: Principal } }
}

interface InSession {
  readonly session: { readonly principal: string; readonly session: string }
  readonly at: number
}

/**
 * Stores the user's task if the call states one. Await the result before the call is judged; it is undefined if there
 * is nothing to await.
 */
export function stateTask(
  { server, tool, params, exchange }: StatingCall,
  { session, at }: InSession,
  memory: PassageMemory,
): undefined | Promise<void> {
  const text = statedTask(params, exchange.caller.principal)
  const source = { server, tool, request: exchange.requestId, session: session.session, at }
  return text === undefined ? undefined : memory.stateTask(session, text, source)
}

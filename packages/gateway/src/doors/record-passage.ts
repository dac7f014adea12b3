import type { IntentEntry, KnownTool } from '../audit/entry.ts'
import type { Exchange } from '../call/exchange.ts'
import type { Recorder } from '../call/recorder.ts'
import { RPC, type RpcError } from '../protocol/messages.ts'
import { isRead } from './may-pass.ts'
import type { Answer } from './surface.ts'

/**
 * Writes down what is passed on and is no tool call: under its method, by the door `method`. What the protocol does not
 * have may do anything, so it is written down before it is passed on.
 */
export async function recordPassage(
  exchange: Exchange,
  { server, recorder }: { readonly server: string; readonly recorder: Recorder },
  pass: () => Promise<Answer>,
): Promise<Answer> {
  const call = describe(exchange, server)
  try {
    // Of what only reads nothing is written yet; it waits where nothing can be recorded.
    await recorder.intent({ ...call, verdict: 'allow', known: isRead(exchange.method) ? A_READ : undefined })
  } catch {
    return { error: UNRECORDED }
  }
  const answer = await pass()
  const error = 'error' in answer ? answer.error : undefined
  const isRefused = error !== undefined && REFUSALS.has(codeIn(error))
  await recorder.outcome({
    call: { ...call, verdict: isRefused ? 'deny' : 'allow' },
    outcome: outcomeOf(answer, isRefused),
    code: error === undefined ? undefined : codeIn(error) || String(error.code),
    detail: error?.message,
    attempts: isRefused ? 0 : 1,
    durationMs: Date.now() - call.at,
  })
  return answer
}

const A_READ: KnownTool = { fingerprint: '', variant: 'call_tool_read', hints: '', title: '' }
const REFUSALS = new Set(['rate_limited', 'guardrail_blocked'])

function describe({ requestId, caller, method, params }: Exchange, server: string): IntentEntry {
  const { _meta, ...args } = params ?? {}
  return {
    requestId,
    at: Date.now(),
    principal: caller.principal.id,
    session: caller.session,
    door: 'method',
    server,
    tool: method,
    typed: method,
    arguments: args,
    reasons: [],
  }
}

function outcomeOf(answer: Answer, isRefused: boolean): 'answered' | 'refused' | 'error' | 'cancelled' {
  if ('cancelled' in answer) return 'cancelled'
  if ('error' in answer) return isRefused ? 'refused' : 'error'
  return 'answered'
}

function codeIn({ data }: RpcError): string {
  const code = typeof data === 'object' && data !== null && 'code' in data ? data.code : undefined
  return typeof code === 'string' ? code : ''
}

const UNRECORDED: RpcError = {
  code: RPC.internal,
  message: 'The request was not forwarded, because it cannot be recorded at the moment. Try again later.',
  data: { code: 'overloaded' },
}

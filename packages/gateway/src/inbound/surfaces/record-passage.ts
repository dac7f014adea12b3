import type { IntentEntry, KnownTool, OutcomeEntry, Recorder } from '../../audit/entry.ts'
import type { RefusalCode } from '../../exchange/outcome.ts'
import type { Answer, RequestDetails } from '../../exchange/surface.ts'
import { INTERNAL_ERROR, RPC, type RpcError } from '../../protocol/messages.ts'
import { isRead } from './guard-passage.ts'

/** How a passage ended: what the caller is told, and whether that is ours to say. */
export interface Passed {
  readonly answer: Answer
  /**
   * Absent where the server answered. What an answer looks like says nothing about that: a server writes into its errors
   * what it likes. `refused`: nothing was sent. `failed`: it was, or may have been.
   */
  readonly ours?: { readonly outcome: 'refused' | 'failed'; readonly code: RefusalCode | undefined }
}

/** How often a passage was sent. */
export interface Tally {
  attempts: number
}

/**
 * Writes down what is passed on and is no tool call: under its method, by the door `method`. What the protocol does not
 * have may do anything, so it is written down before it is passed on.
 */
export async function recordPassage(
  wanted: RequestDetails,
  { server, recorder }: { readonly server: string; readonly recorder: Recorder },
  pass: (tally: Tally) => Promise<Passed>,
): Promise<Answer> {
  const call = describe(wanted, server)
  const known = isRead(wanted.method) ? A_READ : undefined
  // Of what only reads nothing is written yet; it waits where nothing can be recorded.
  const failure = await recorder.intent({ ...call, verdict: 'allow', known })
  if (failure !== undefined) return { error: UNRECORDED }
  const tally = { attempts: 0 }
  try {
    const passed = await pass(tally)
    await recorder.outcome({ ...endOf(call, passed), ...tally })
    return passed.answer
  } catch (error) {
    // It may have been executed, and a fault of ours is no reason that nobody can read that.
    await recorder.outcome({ ...faultIn(call), ...tally })
    throw error
  }
}

const A_READ: KnownTool = { fingerprint: '', variant: 'call_tool_read', hints: '', title: '' }

function describe({ requestId, caller, method, params }: RequestDetails, server: string): IntentEntry {
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

type End = Omit<OutcomeEntry, 'attempts'>

function endOf(call: IntentEntry, { answer, ours }: Passed): End {
  const error = 'error' in answer ? answer.error : undefined
  return {
    call: { ...call, verdict: ours?.outcome === 'refused' ? 'deny' : 'allow' },
    outcome: ours?.outcome ?? outcomeOf(answer),
    code: ours?.code ?? (error === undefined ? undefined : String(error.code)),
    detail: error?.message,
    durationMs: Date.now() - call.at,
  }
}

function outcomeOf(answer: Answer): 'answered' | 'error' | 'cancelled' {
  if ('cancelled' in answer) return 'cancelled'
  return 'error' in answer ? 'error' : 'answered'
}

function faultIn(call: IntentEntry): End {
  return {
    call: { ...call, verdict: 'allow' },
    outcome: 'failed',
    detail: INTERNAL_ERROR.message,
    durationMs: Date.now() - call.at,
  }
}

const UNRECORDED: RpcError = {
  code: RPC.internal,
  message: 'The request was not forwarded, because it cannot be recorded at the moment. Try again later.',
  data: { code: 'overloaded' },
}

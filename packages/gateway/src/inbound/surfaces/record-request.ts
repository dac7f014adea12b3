import type { IntentEntry, KnownTool, OutcomeEntry, Recorder } from '../../audit/entry.ts'
import type { RefusalCode } from '../../exchange/outcome.ts'
import type { Answer, RequestDetails } from '../../exchange/surface.ts'
import type { Reason } from '../../policy/facts/facts.ts'
import { INTERNAL_ERROR, RPC, type RpcError } from '../../protocol/messages.ts'
import { findingsIn } from '../../results/findings-in.ts'
import { isRead } from './guard-request.ts'

/** How a request ended: the answer, and whether it came from the gateway or the server. */
export interface RequestResult {
  readonly answer: Answer
  /**
   * Absent if the server answered. The answer itself does not show this, because a server can write anything into its
   * errors. `refused` means that nothing was sent; `failed` means that the request was sent, or might have been.
   */
  readonly fromGateway?: {
    readonly outcome: 'refused' | 'failed'
    readonly code: RefusalCode | undefined
    /** The rules of the policy behind a refusal. */
    readonly reasons?: readonly Reason[]
  }
}

/** Counts how many times a request was sent. */
export interface AttemptCounter {
  attempts: number
}

interface Place {
  readonly server: string
  readonly recorder: Recorder
}

/** Records a request for a method that the caller is not allowed to use. */
export async function recordClosed(
  wanted: RequestDetails,
  { server, recorder }: Place,
  { error, code }: { readonly error: RpcError; readonly code: RefusalCode | undefined },
): Promise<Answer> {
  const fromGateway = { outcome: 'refused', code } as const
  const end = endOf(describe(wanted, server), { answer: { error }, fromGateway })
  await recorder.outcome({ ...end, attempts: 0 })
  return { error }
}

/**
 * Records a request that is not a tool call. The row has the method's name as its tool, and `method` as its door. A
 * method outside the protocol can have any effect, so its intent is recorded before the request is sent.
 */
export async function recordRequest(
  wanted: RequestDetails,
  { server, recorder }: Place,
  pass: (counter: AttemptCounter) => Promise<RequestResult>,
): Promise<Answer> {
  const call = describe(wanted, server)
  const known = isRead(wanted.method) ? A_READ : undefined
  // For a read, this writes no row yet, but it fails if nothing can be recorded; the read is then not sent.
  const failure = await recorder.intent({ ...call, verdict: 'allow', known })
  if (failure !== undefined) return { error: UNRECORDED }
  const counter = { attempts: 0 }
  try {
    const passed = await pass(counter)
    await recorder.outcome({ ...endOf(call, passed), ...counter })
    return passed.answer
  } catch (error) {
    // The server might have executed the request, so the audit log must contain it even after an internal error.
    await recorder.outcome({ ...faultIn(call), ...counter })
    throw error
  }
}

const A_READ: KnownTool = { fingerprint: '', variant: 'call_tool_read', hints: '', title: '' }

function describe(wanted: RequestDetails, server: string): IntentEntry {
  const { requestId, caller, method, params, set } = wanted
  const { _meta, ...args } = params ?? {}
  return {
    requestId,
    at: Date.now(),
    principal: caller.principal.id,
    session: caller.session,
    door: 'method',
    set,
    server,
    tool: method,
    typed: method,
    arguments: args,
    reasons: [],
  }
}

type End = Omit<OutcomeEntry, 'attempts'>

function endOf(call: IntentEntry, { answer, fromGateway }: RequestResult): End {
  const error = 'error' in answer ? answer.error : undefined
  return {
    call: {
      ...call,
      verdict: fromGateway?.outcome === 'refused' ? 'deny' : 'allow',
      reasons: fromGateway?.reasons ?? call.reasons,
    },
    outcome: fromGateway?.outcome ?? outcomeOf(answer),
    findings: findingsInAnswer(answer),
    code: fromGateway?.code ?? (error === undefined ? undefined : String(error.code)),
    detail: error?.message,
    durationMs: Date.now() - call.at,
  }
}

function findingsInAnswer(answer: Answer): OutcomeEntry['findings'] {
  if ('result' in answer) return findingsIn(answer.result._meta)
  return 'error' in answer ? findingsIn(answer.error.data) : undefined
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

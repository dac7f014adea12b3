import { Rounds } from '../../../base/rounds.ts'
import type { CallDeps } from '../../../call/call-deps.ts'
import { gatherFacts } from '../../../call/judge-call.ts'
import { findTool } from '../../../call/match-tool.ts'
import { prepareCall } from '../../../call/prepare-call.ts'
import { recordRefusal } from '../../../call/record-refusal.ts'
import { invalidArguments, refuseDecision } from '../../../call/refusals.ts'
import type { Exchange } from '../../../exchange/exchange.ts'
import { type Outcome, type Refusal, refusalBody } from '../../../exchange/outcome.ts'
import { decideClaim } from '../../../policy/decide.ts'
import type { Claim } from '../../../policy/facts/intent.ts'
import { isInputRequired } from '../../../protocol/eras.ts'
import type { Json } from '../../../protocol/messages.ts'
import type { Toolset } from '../../../sets/toolset.ts'
import { nameCall } from '../name-call.ts'
import { PartExchange, SharedProgress } from './part-exchange.ts'
import { ownCall } from './refuse-here.ts'

/** The arguments of `call_tools_read`. */
export interface ReadBatch {
  readonly calls: readonly Part[]
  readonly max_parallel?: number
}

interface Part {
  readonly name: string
  readonly args?: Json
}

export interface BatchDeps extends CallDeps {
  /** Maximum number of calls in one batch. */
  readonly batchReads: number
  /** The toolset to which the surface is limited. Absent at `/mcp`. */
  readonly set?: Toolset | undefined
}

type BatchOutcome =
  | { readonly kind: 'done'; readonly answer: Json }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'cancelled' }

type CallPart = (exchange: Exchange, part: Part, claim: Claim) => Promise<Outcome>

/** The claim to be a read is binding even if intent checks are off, because parallel calls are only allowed to read. */
const CLAIM: Claim = { variant: 'call_tool_read', isBinding: true }
const MAX_PARALLEL = 8
const NAME = 'call_tools_read'

/**
 * Makes several reads in parallel, each with its own outcome. If any of the tools does more than read, no call is made.
 */
export async function readInParallel(
  exchange: Exchange,
  batch: ReadBatch,
  { callPart, deps }: { readonly callPart: CallPart; readonly deps: BatchDeps },
): Promise<BatchOutcome> {
  const refusal = await refuseBatch(exchange, batch, deps)
  if (refusal !== undefined) return { kind: 'refused', refusal }
  let isCancelled = false
  exchange.onCancel(() => {
    isCancelled = true
  })
  const progress = new SharedProgress(exchange, batch.calls.length)
  const results: Json[] = []
  const rounds = new Rounds()
  const waiting = batch.calls.map((part, at) => ({ part, at })).values()
  const work = async (): Promise<void> => {
    for (const { part, at } of waiting) {
      if (isCancelled) return
      await rounds.next()
      const outcome = await callPart(new PartExchange(exchange, at, progress), part, CLAIM)
      progress.finish(at, part.name)
      results[at] = { name: part.name, ...describeOutcome(outcome, part.name) }
    }
  }
  const workers = Math.min(batch.max_parallel ?? MAX_PARALLEL, batch.calls.length)
  await Promise.all(Array.from({ length: workers }, work))
  if (isCancelled) return { kind: 'cancelled' }
  const failed = results.filter(({ ok }) => ok !== true).length
  return { kind: 'done', answer: { results, succeeded: results.length - failed, failed } }
}

async function refuseBatch(
  exchange: Exchange,
  batch: ReadBatch,
  deps: BatchDeps,
): Promise<Refusal | undefined> {
  const { calls } = batch
  if (calls.length > deps.batchReads) {
    const expected = `at most ${deps.batchReads} calls, not ${calls.length}`
    const problem = { field: 'calls', expected, schema: { maxItems: deps.batchReads }, problems: 1 }
    const refusal = invalidArguments({ tool: NAME }, problem)
    return recordRefusal(ownCall(exchange, { name: NAME, args: batch, set: deps.set }), refusal, deps)
  }
  for (const { name, args = {} } of calls) {
    const typed = { exchange, ...nameCall(name, deps.set), params: { arguments: args }, claim: CLAIM }
    const target = await findTool(typed, deps)
    // A call to an unknown tool does not stop the others. Its own result reports the error.
    if ('refusal' in target) continue
    // If a call sets an argument that its toolset fixes, only that call fails, later.
    const { classified } = prepareCall(typed, target)
    const facts = gatherFacts(classified, { server: target.server, riskFactors: {}, now: Date.now() })
    const denied = decideClaim(facts, deps.rules())
    if (denied !== undefined) {
      const refusal = await recordRefusal(classified.call, refuseDecision(classified, denied), deps)
      return { ...refusal, message: `${refusal.message} None of the ${calls.length} calls was made.` }
    }
  }
  return undefined
}

function describeOutcome(outcome: Outcome, name: string): Json {
  switch (outcome.kind) {
    case 'answered':
      return isInputRequired(outcome.result)
        ? { ok: false, error: refusalBody(asksForInput(name)) }
        : { ok: outcome.result.isError !== true, result: outcome.result }
    case 'refused':
      return { ok: false, error: refusalBody(outcome.refusal) }
    case 'error':
      return { ok: false, rpc_error: outcome.error }
    case 'cancelled':
      return { ok: false, cancelled: true }
  }
}

function asksForInput(name: string): Refusal {
  const text = 'it asks for input, which is not possible for a call in a batch'
  return {
    code: 'upstream_protocol',
    message: `${JSON.stringify(name)} gave no answer: ${text}.`,
    tool: name,
    variant: 'call_tool_read',
    verdict: 'failed',
    reasons: [{ rule: 'batch', source: 'server', text }],
    remedy: 'Call this tool alone, with call_tool_read.',
  }
}

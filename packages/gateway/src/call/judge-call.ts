import type { SessionRiskFactors } from '@hintgate/metadata'
import { carriedParams, isPlainInfo } from '../approvals/other-params.ts'
import { HintgateError } from '../base/errors.ts'
import type { Caller } from '../exchange/exchange.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import type { Case } from '../policy/step.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { isPlainRead, originOfCall, type ReadSoFar } from '../provenance/origin-of-call.ts'
import type { Scope } from '../scope/scope.ts'
import {
  type KnownRiskFactors,
  noteMark,
  prepareRiskFactors,
  riskFactorsFor,
  type SessionOf,
} from '../sessions/risk-factors.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'
import type { CallRecord } from './record.ts'
import { unrecorded } from './refusals.ts'

interface Circumstances {
  readonly server: UpstreamServer
  readonly riskFactors: SessionRiskFactors
  readonly across?: SessionRiskFactors | undefined
  readonly read?: ReadSoFar | undefined
  readonly now: number
  /** Where it may be another than when the call came in. */
  readonly scope?: Scope
}

const NO_ARGUMENTS: Json = {}

/** Everything that the verdict on a call may depend on. */
export function gatherFacts(classified: Classified, circumstances: Circumstances): Case {
  return new GatheredFacts(classified, circumstances)
}

class GatheredFacts implements Case {
  readonly agent: Case['agent']
  readonly server: UpstreamServer['config']
  readonly tool: Case['tool']
  readonly args: Json
  readonly intent: Case['intent']
  readonly session: Case['session']
  readonly now: number
  readonly scope: Case['scope']
  readonly claim: Case['claim']
  readonly #call: Classified['call']
  readonly #server: UpstreamServer
  readonly #called: Classified['tool']
  readonly #read: ReadSoFar | undefined

  constructor(
    { call, tool, variant }: Classified,
    { server, riskFactors, across, read, now, scope }: Circumstances,
  ) {
    const { principal, session } = call.exchange.caller
    const { title, category, riskLevel, effective } = tool.assessment
    const { arguments: args } = call.params
    this.agent = principal
    this.server = server.config
    this.tool = {
      name: tool.name,
      title,
      variant,
      category,
      riskLevel,
      fingerprint: tool.fingerprint,
      effective,
    }
    this.args = isJsonObject(args) ? args : NO_ARGUMENTS
    this.intent = call.claim?.intent
    this.session = { id: session, riskFactors, across }
    this.now = now
    this.scope = scope ?? principal.scope
    this.claim = call.claim
    this.#call = call
    this.#server = server
    this.#called = tool
    this.#read = read
  }

  /** Found only when a rule asks for it. */
  get origin(): Case['origin'] {
    return this.#read && originOfCall(this.#called, this.args, this.#read)
  }

  get isPlainRead(): boolean {
    return isPlainRead(this.#called, this.args)
  }

  /** Only some rules ask for it, and then once. */
  get others(): Json | undefined {
    const { params, exchange } = this.#call
    return carriedBy({ params, caller: exchange.caller }, this.#server)
  }

  get client(): unknown {
    return toldClient(this.#call.exchange.caller, this.#server)
  }
}

/** A modern server is told with every call what a legacy client said of itself once. */
export function carriedBy(
  { params, caller }: { readonly params: Json; readonly caller: Caller },
  { handshake, config }: UpstreamServer,
): Json | undefined {
  const carried = carriedParams(params)
  const { clientInfo } = caller.envelope
  const isModern = handshake?.era === 'modern' || config.isolation === 'session'
  const isTold = caller.era === 'legacy' && isModern && clientInfo !== undefined
  return isTold && !isPlainInfo(clientInfo) ? { ...carried, clientInfo } : carried
}

/** An older server is not told of clients. Of processes of their own, each may speak as it likes. */
export function toldClient({ envelope }: Caller, { handshake, config }: UpstreamServer): unknown {
  const isOlder = handshake?.era === 'legacy' && config.isolation !== 'session'
  return isOlder ? undefined : envelope.clientInfo
}

/** The risk factors that a call is judged by, or why it cannot be judged. */
export async function loadRiskFactors(
  session: SessionOf,
  classified: Classified,
  deps: CallDeps,
): Promise<KnownRiskFactors | Refusal> {
  const loading = prepareRiskFactors(session, deps, classified.tool.assessment.effective)
  const lost = loading && (await orRefuse(loading, classified, deps))
  return lost ?? riskFactorsFor(session, deps)
}

/**
 * What the call brings stays with its session, and is safe when this is done. Before anything is sent: what may have happened counts,
 * even if nobody lives to see the answer.
 */
export async function noteRiskFactors(
  { call, session, at }: Pick<CallRecord, 'call' | 'session' | 'at'>,
  classified: Classified,
  deps: CallDeps,
): Promise<Refusal | undefined> {
  const mark = { tool: `${call.server}:${call.tool}`, request: call.exchange.requestId, at }
  const noting = noteMark({ session, mark }, deps, classified.tool.assessment.effective)
  return noting && orRefuse(noting, classified, deps)
}

/**
 * Waits for something of the store. When the store is away, a read goes on with what is remembered if the config says
 * so, and everything else ends here: it would be judged by what may be old.
 */
export async function orRefuse(
  work: Promise<unknown>,
  classified: Classified,
  { failOpenReads }: CallDeps,
): Promise<Refusal | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (!isStoreFault(error)) throw error
    const goesOn = classified.variant === 'call_tool_read' && failOpenReads()
    return goesOn ? undefined : unrecorded(classified.call, classified)
  }
}

function isStoreFault(error: unknown): boolean {
  return error instanceof HintgateError && error.code.startsWith('store_')
}

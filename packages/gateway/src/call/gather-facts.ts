import type { SessionLegs } from '@hintgate/metadata'
import { carriedParams, isPlainInfo } from '../approvals/other-params.ts'
import type { Classified } from '../exchange/classified.ts'
import type { Caller } from '../exchange/exchange.ts'
import type { Case } from '../policy/step.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { Scope } from '../scope/scope.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'

interface Circumstances {
  readonly server: UpstreamServer
  readonly legs: SessionLegs
  readonly across?: SessionLegs | undefined
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

  constructor({ call, tool, variant }: Classified, { server, legs, across, now, scope }: Circumstances) {
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
    this.session = { id: session, legs, across }
    this.now = now
    this.scope = scope ?? principal.scope
    this.claim = call.claim
    this.#call = call
    this.#server = server
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

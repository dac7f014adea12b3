import { type SessionLegs, stricterVariant } from '@hintgate/metadata'
import { carriedParams, isPlainInfo } from '../approvals/other-params.ts'
import type { Classified } from '../exchange/classified.ts'
import type { Caller } from '../exchange/exchange.ts'
import type { Refusal } from '../exchange/outcome.ts'
import type { Decision } from '../policy/decide.ts'
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

type Denied = Pick<Extract<Decision, { verdict: 'deny' }>, 'code' | 'reasons'>

/** A deny in the words of a refusal. The reasons say which rule it was; these words say what to do about it. */
export function refuseDecision({ call, variant }: Classified, { code, reasons }: Denied): Refusal {
  const name = JSON.stringify(call.typed)
  const texts = [...new Set(reasons.map(({ text }) => text))].join('; ')
  const words: Record<Denied['code'], readonly [message: string, remedy: string]> = {
    permission_denied: [
      `This token may not use ${neededFor({ call, variant })}, which ${name} needs.`,
      `Ask for a token with the permission ${neededFor({ call, variant })}.`,
    ],
    intent_mismatch: [
      `${name} does more than this call says: ${texts}.`,
      `If this is what you want to do, use ${variant}, and say so in the intent.`,
    ],
    policy_denied: [
      `A policy forbids this call of ${name}: ${texts}.`,
      'Do something else, or ask the operator, who can see why with: hintgate policy explain.',
    ],
    guardrail_blocked: [
      `A guardrail stopped this call of ${name}: ${texts}.`,
      'Change the arguments that the reasons name.',
    ],
    trifecta: [
      `${name} would bring private data, untrusted content and a way out together in one session.`,
      'Do without this step, or ask the operator, who sees what was touched with: hintgate sessions list.',
    ],
  }
  const [message, remedy] = words[code]
  return { code, message, tool: call.typed, variant, verdict: 'deny', reasons, remedy }
}

function neededFor({ call, variant }: Pick<Classified, 'call' | 'variant'>): string {
  return call.claim === undefined ? variant : stricterVariant(call.claim.variant, variant)
}

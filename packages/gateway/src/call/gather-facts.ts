import type { SessionLegs } from '@hintgate/metadata'
import { carriedParams, isPlainInfo } from '../approvals/other-params.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { Case } from '../verdict/step.ts'
import type { CallDeps } from './call-deps.ts'
import type { Classified } from './classify.ts'
import { legsFor, readyLegs } from './session-legs.ts'

interface Circumstances {
  readonly server: UpstreamServer
  readonly legs: SessionLegs
  readonly across?: SessionLegs
  readonly now: number
}

const NO_ARGUMENTS: Json = {}

/** Everything that the verdict on a call may depend on. */
export function gatherFacts(
  { call, tool, variant }: Classified,
  { server, legs, across, now }: Circumstances,
): Case {
  const { principal, session } = call.exchange.caller
  const { title, category, riskLevel, effective } = tool.assessment
  const { arguments: args } = call.params
  return {
    agent: principal,
    server: server.config,
    tool: { name: tool.name, title, variant, category, riskLevel, fingerprint: tool.fingerprint, effective },
    others: carriedBy(call, server),
    args: isJsonObject(args) ? args : NO_ARGUMENTS,
    intent: call.claim?.intent,
    session: { id: session, legs, across },
    now,
    scope: principal.scope,
    claim: call.claim,
  }
}

/** A modern server is told with every call what a legacy client said of itself once. */
function carriedBy(
  { params, exchange: { caller } }: Classified['call'],
  { handshake }: UpstreamServer,
): Json | undefined {
  const carried = carriedParams(params)
  const { clientInfo } = caller.envelope
  const isTold = caller.era === 'legacy' && handshake?.era === 'modern' && clientInfo !== undefined
  return isTold && !isPlainInfo(clientInfo) ? { ...carried, clientInfo } : carried
}

/** The facts as they are after a while. */
export async function gatherAgain(
  classified: Classified,
  server: UpstreamServer,
  deps: CallDeps,
): Promise<Case> {
  const now = Date.now()
  const { session, principal } = classified.call.exchange.caller
  const asked = { session: { session, principal: principal.id }, at: now }
  await readyLegs(asked, deps)
  return gatherFacts(classified, { server, ...legsFor(asked, deps), now })
}

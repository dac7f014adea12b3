import type { SessionLegs } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { plainNumbers } from '../protocol/parse-json.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { Case } from '../verdict/step.ts'
import type { CallDeps } from './call-deps.ts'
import type { Classified } from './classify.ts'

interface Circumstances {
  readonly server: UpstreamServer
  readonly legs: SessionLegs
  readonly now: number
}

const NO_ARGUMENTS: Json = {}

/** Everything that the verdict on a call may depend on. */
export function gatherFacts({ call, tool, variant }: Classified, { server, legs, now }: Circumstances): Case {
  const { principal, session } = call.exchange.caller
  const { title, category, riskLevel, effective } = tool.assessment
  const { arguments: args } = call.params
  return {
    agent: principal,
    server: server.config,
    tool: { name: tool.name, title, variant, category, riskLevel, fingerprint: tool.fingerprint, effective },
    args: isJsonObject(args) ? (plainNumbers(args) as Json) : NO_ARGUMENTS,
    intent: call.claim?.intent,
    session: { id: session, legs },
    now,
    scope: principal.scope,
    claim: call.claim,
  }
}

/** The facts as they are after a while. */
export async function gatherAgain(
  classified: Classified,
  server: UpstreamServer,
  { sessions }: CallDeps,
): Promise<Case> {
  const now = Date.now()
  const { session, principal } = classified.call.exchange.caller
  await sessions.ready({ session, principal: principal.id }, now)
  const legs = sessions.legsOf(session, now)
  return gatherFacts(classified, { server, legs, now })
}

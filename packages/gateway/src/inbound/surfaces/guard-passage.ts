import { resolveEffective } from '@hintgate/metadata'
import type { CallDeps } from '../../call/call-deps.ts'
import { carriedBy, toldClient } from '../../call/judge-call.ts'
import type { Wanted } from '../../exchange/surface.ts'
import type { Facts, ToolFacts } from '../../policy/facts/facts.ts'
import { RPC } from '../../protocol/messages.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import { isRead } from './may-pass.ts'
import type { OwnError } from './own-error.ts'

/** What guardrails say of the texts that somebody wants to send to a server without a tool: an address is a way out, too. */
export function guardPassage(
  wanted: Wanted,
  server: UpstreamServer,
  { rules }: Pick<CallDeps, 'rules'>,
): OwnError | undefined {
  const hits = rules().guardrails.checkTexts(factsOf(wanted, server))
  if (hits.length === 0) return undefined
  const why = hits.map(({ reason }) => reason.text).join('; ')
  // Where a person would have to say yes, nobody can be asked: only a tool call can wait.
  const message = `The request was not forwarded: ${why}.`
  return { code: RPC.generic, message, data: { code: 'guardrail_blocked' } }
}

/** The rules that read texts go by who sends them where, and under which name. */
export function factsOf({ caller, method, params }: Wanted, server: UpstreamServer): Facts {
  const { _meta, ...args } = params ?? {}
  return {
    agent: caller.principal,
    server: server.config,
    tool: { ...(isRead(method) ? A_READ : ANYTHING), name: method, title: method },
    args,
    others: carriedBy({ params: { _meta }, caller }, server),
    client: toldClient(caller, server),
    intent: undefined,
    session: { id: caller.session, legs: {} },
    now: Date.now(),
  }
}

type Kind = Omit<ToolFacts, 'name' | 'title'>

const A_READ: Kind = {
  variant: 'call_tool_read',
  category: 'read',
  riskLevel: 1,
  fingerprint: '',
  effective: resolveEffective({ declared: { hints: { readOnly: true } }, vouched: true }),
}
const ANYTHING: Kind = {
  variant: 'call_tool_destructive',
  category: 'delete',
  riskLevel: 3,
  fingerprint: '',
  effective: resolveEffective({ declared: { hints: {} }, vouched: true }),
}

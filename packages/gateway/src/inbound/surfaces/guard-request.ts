import { CALL_VARIANTS, resolveEffective } from '@hintgate/metadata'
import { HintgateError } from '../../base/errors.ts'
import type { CallDeps } from '../../call/call-deps.ts'
import { clientInfoFor, otherParamsFor } from '../../call/guard-texts.ts'
import { takeRates } from '../../call/limit-rate.ts'
import type { RefusalCode } from '../../exchange/outcome.ts'
import type { RequestDetails } from '../../exchange/surface.ts'
import type { Facts, ToolFacts } from '../../policy/facts/facts.ts'
import { limitsOf } from '../../policy/guardrails/limits-of.ts'
import { RPC, type RpcError } from '../../protocol/messages.ts'
import { mayCall } from '../../scope/match-scope.ts'
import type { Scope } from '../../scope/scope.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'

/**
 * Applies the guardrails to the texts in a request that is not a tool call. Data can also leave in a resource URI, for
 * example.
 */
export function guardRequest(
  wanted: RequestDetails,
  server: UpstreamServer,
  { rules }: Pick<CallDeps, 'rules'>,
): OwnError | undefined {
  const hits = rules().guardrails.checkTexts(factsOf(wanted, server))
  if (hits.length === 0) return undefined
  const why = hits.map(({ reason }) => reason.text).join('; ')
  // A rule that would ask a person refuses the request instead, because only a tool call can wait for an answer.
  const message = `The request was not forwarded: ${why}.`
  return { code: RPC.generic, message, data: { code: 'guardrail_blocked' } }
}

/** Gathers the facts for guardrails about texts: the caller, the server, the method and the parameters. */
export function factsOf({ caller, method, params, set }: RequestDetails, server: UpstreamServer): Facts {
  const { _meta, ...args } = params ?? {}
  return {
    agent: caller.principal,
    server: server.config,
    set,
    tool: { ...(isRead(method) ? A_READ : ANYTHING), name: method, title: method },
    args,
    others: otherParamsFor({ params: { _meta }, caller }, server),
    client: clientInfoFor(caller, server),
    intent: undefined,
    session: { id: caller.session, riskFactors: {} },
    now: Date.now(),
  }
}

type Kind = Omit<ToolFacts, 'name' | 'title'>

const NO_CONSEQUENCE = { kinds: [], targets: [] }

const A_READ: Kind = {
  consequence: NO_CONSEQUENCE,
  variant: 'call_tool_read',
  category: 'read',
  riskLevel: 1,
  fingerprint: '',
  effective: resolveEffective({ declared: { hints: { readOnly: true } }, vouched: true }),
}
const ANYTHING: Kind = {
  consequence: NO_CONSEQUENCE,
  variant: 'call_tool_destructive',
  category: 'delete',
  riskLevel: 3,
  fingerprint: '',
  effective: resolveEffective({ declared: { hints: {} }, vouched: true }),
}

/** The methods of the protocol that are passed on, apart from tool calls. All of them only read. */
const READS = new Set([
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'subscriptions/listen',
  'completion/complete',
  'logging/setLevel',
])

/** Whether the protocol defines a method as a read. */
export function isRead(method: string): boolean {
  return READS.has(method)
}

/**
 * Whether a caller is allowed to use a method that is not a tool call. A token limited to certain tools is not. The
 * effect of a method outside the protocol is unknown, so such a method needs every permission.
 */
export function mayRequest(scope: Scope, method: string): boolean {
  if (scope.tools !== undefined) return false
  return isRead(method)
    ? mayCall(scope, 'call_tool_read')
    : CALL_VARIANTS.every(variant => mayCall(scope, variant))
}

/** An error from the gateway itself, with one of Hintgate's codes. Errors from servers have no such code. */
export interface OwnError extends RpcError {
  readonly data?: { readonly code: RefusalCode }
}

/** Counts a request that is not a tool call towards the rate limits of its token and its server. */
export async function limitRequest(
  { caller, method }: RequestDetails,
  server: string,
  deps: Pick<CallDeps, 'rules' | 'rates' | 'failOpenReads'>,
): Promise<OwnError | undefined> {
  const { id, scope } = caller.principal
  const limits = limitsOf({ agent: { id }, scope, server: { name: server } }, deps.rules().rateOf(server), [])
  if (limits.length === 0) return undefined
  try {
    const exceeded = await takeRates(limits, deps.rates)
    if (exceeded === undefined) return undefined
    const seconds = Math.max(1, Math.ceil(exceeded.waitMs / 1000))
    const message = `Too many requests: ${exceeded.rule.reason.text}. Wait ${seconds} s.`
    return { code: RPC.generic, message, data: { code: 'rate_limited' } }
  } catch (error) {
    return continueWithoutStore(error, method, deps)
  }
}

/**
 * Decides what happens to a request while the store is down. Reads continue if the config allows that; other requests
 * are refused.
 */
export function continueWithoutStore(
  error: unknown,
  method: string,
  { failOpenReads }: Pick<CallDeps, 'failOpenReads'>,
): OwnError | undefined {
  if (!(error instanceof HintgateError && error.code.startsWith('store_'))) throw error
  const isHarmless = isRead(method) || method.startsWith('resources/')
  return isHarmless && failOpenReads() ? undefined : UNCOUNTED
}

const UNCOUNTED: OwnError = {
  code: RPC.internal,
  message:
    'The request was not forwarded, because its rate limit cannot be checked at the moment. Try again later.',
  data: { code: 'overloaded' },
}

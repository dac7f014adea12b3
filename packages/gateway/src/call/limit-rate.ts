import type { Classified } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import type { RateRule } from '../policy/guardrails/guardrail.ts'
import type { Case } from '../policy/step.ts'
import type { Principal, Rate } from '../scope/scope.ts'
import type { RateStore } from '../store/store.ts'
import type { CallDeps } from './call-deps.ts'
import { orRefuse } from './judge-call.ts'

interface Limited extends Pick<Case, 'scope'> {
  readonly agent: { readonly id: string }
  readonly server: { readonly name: string }
}

interface Exceeded {
  readonly rule: RateRule
  readonly waitMs: number
}

/** Counts the call against everything that limits it: its token, its server, and rules on its kind. */
export function limitRate(
  facts: Case,
  classified: Classified,
  deps: CallDeps,
): undefined | Promise<Refusal | undefined> {
  const { guardrails, rateOf } = deps.rules()
  const limits = limitsOf(facts, rateOf(facts.server.name), guardrails.ratesOf(facts))
  if (limits.length === 0) return undefined
  return count(limits, classified, deps)
}

async function count(
  limits: readonly RateRule[],
  classified: Classified,
  deps: CallDeps,
): Promise<Refusal | undefined> {
  let exceeded: Exceeded | undefined
  const counting = takeRates(limits, deps.rates).then(found => {
    exceeded = found
  })
  const lost = await orRefuse(counting, classified, deps)
  if (lost !== undefined || exceeded === undefined) return lost
  return refuseRate(exceeded, { tool: classified.call.typed, variant: classified.variant })
}

/** Counts what the gateway does itself for a caller: it reaches no server, but takes everybody's time all the same. */
export async function limitOwn(
  { id, scope }: Principal,
  tool: string,
  { rates }: Pick<CallDeps, 'rates'>,
): Promise<Refusal | undefined> {
  if (scope.rate === undefined) return undefined
  const exceeded = await takeRates([limitOf('token', id, scope.rate)], rates)
  return exceeded && refuseRate(exceeded, { tool })
}

/** What a caller and a server lay down for everything that passes from one to the other, and some rules more. */
export function limitsOf(
  { agent, scope, server }: Limited,
  shared: Rate | undefined,
  ruled: readonly RateRule[],
): readonly RateRule[] {
  if (scope.rate === undefined && shared === undefined) return ruled
  const own = scope.rate === undefined ? [] : [limitOf('token', agent.id, scope.rate)]
  const all = shared === undefined ? [] : [limitOf('server', server.name, shared)]
  return [...own, ...all, ...ruled]
}

/** Counts the call; gives the first rule that it is too much for. */
export async function takeRates(rules: readonly RateRule[], rates: RateStore): Promise<Exceeded | undefined> {
  for (const rule of rules) {
    const waitMs = await rates.take(rule.key, rule)
    if (waitMs !== undefined) return { rule, waitMs }
  }
  return undefined
}

/** `tool` is what the caller typed. */
function refuseRate({ rule, waitMs }: Exceeded, about: Pick<Refusal, 'tool' | 'variant'>): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return {
    code: 'rate_limited',
    message: `Too many calls of ${JSON.stringify(about.tool)}: ${rule.reason.text}.`,
    ...about,
    verdict: 'deny',
    reasons: [rule.reason],
    remedy: `Wait ${seconds} s, and call less often.`,
  }
}

function limitOf(of: 'token' | 'server', key: string, { limit, windowMs }: Rate) {
  const text = `the ${of} may make ${limit} calls in ${windowMs / 1000} s`
  return { key: `${of} ${key}`, limit, windowMs, reason: { rule: `rate.${of}`, source: of, text } }
}

import type { Classified } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import type { RateRule } from '../policy/guardrails/guardrail.ts'
import { limitOf } from '../policy/guardrails/limits-of.ts'
import type { Principal } from '../scope/scope.ts'
import type { RateStore } from '../store/store.ts'
import type { CallDeps } from './call-deps.ts'
import { refuseIfUnavailable } from './refusals.ts'

interface Exceeded {
  readonly rule: RateRule
  readonly waitMs: number
}

export async function countCall(
  limits: readonly RateRule[],
  classified: Classified,
  deps: CallDeps,
): Promise<Refusal | undefined> {
  let exceeded: Exceeded | undefined
  const counting = takeRates(limits, deps.rates).then(found => {
    exceeded = found
  })
  const lost = await refuseIfUnavailable(counting, classified, deps)
  if (lost !== undefined || exceeded === undefined) return lost
  return refuseRate(exceeded, { tool: classified.call.typed, variant: classified.variant })
}

/**
 * Counts work that the gateway itself does for a caller. Such work reaches no server, but takes time from all callers.
 */
export async function limitOwn(
  { id, scope }: Principal,
  tool: string,
  { rates }: Pick<CallDeps, 'rates'>,
): Promise<Refusal | undefined> {
  if (scope.rate === undefined) return undefined
  const exceeded = await takeRates([limitOf('token', id, scope.rate)], rates)
  return exceeded && refuseRate(exceeded, { tool })
}

/** Counts the call, and returns the first limit that the call exceeds. */
export async function takeRates(rules: readonly RateRule[], rates: RateStore): Promise<Exceeded | undefined> {
  for (const rule of rules) {
    const waitMs = await rates.take(rule.key, rule)
    if (waitMs !== undefined) return { rule, waitMs }
  }
  return undefined
}

/** Returns the refusal for a call over a limit. `tool` is the name that the caller typed. */
function refuseRate({ rule, waitMs }: Exceeded, about: Pick<Refusal, 'tool' | 'variant'>): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return {
    code: 'rate_limited',
    message: `Too many calls to ${JSON.stringify(about.tool)}: ${rule.reason.text}.`,
    ...about,
    verdict: 'deny',
    reasons: [rule.reason],
    remedy: `Wait ${seconds} s, and call less often.`,
  }
}

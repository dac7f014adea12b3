import type { Refusal } from '../exchange/outcome.ts'
import type { RateRule } from '../policy/guardrails/guardrail.ts'
import type { RateStore } from '../store/store.ts'

interface Exceeded {
  readonly rule: RateRule
  readonly waitMs: number
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
export function refuseRate({ rule, waitMs }: Exceeded, about: Pick<Refusal, 'tool' | 'variant'>): Refusal {
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

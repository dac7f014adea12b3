import type { RateRule } from '../verdict/guardrails/guardrail.ts'
import type { Classified } from './classify.ts'
import type { Refusal } from './outcome.ts'

interface Limiter {
  consume(key: string): Promise<unknown>
}

/** Makes a counter for so many in so long. */
export type CreateLimiter = (limit: number, windowMs: number) => Promise<Limiter>

interface Exceeded {
  readonly rule: RateRule
  readonly waitMs: number
}

/** Counts calls where a rule says that there may be only so many. */
export class Rates {
  readonly #createLimiter: CreateLimiter
  readonly #limiters = new Map<string, Promise<Limiter>>()

  constructor(createLimiter: CreateLimiter) {
    this.#createLimiter = createLimiter
  }

  /** Counts the call; gives the first rule that it is too much for. */
  async take(rules: readonly RateRule[]): Promise<Exceeded | undefined> {
    for (const rule of rules) {
      const limiter = await this.#limiterFor(rule)
      try {
        await limiter.consume(rule.key)
      } catch (error) {
        if (error instanceof Error) throw error
        return { rule, waitMs: (error as { msBeforeNext?: number }).msBeforeNext ?? rule.windowMs }
      }
    }
    return undefined
  }

  #limiterFor({ limit, windowMs }: RateRule): Promise<Limiter> {
    const name = `${limit}/${windowMs}`
    const known = this.#limiters.get(name)
    if (known !== undefined) return known
    const created = this.#createLimiter(limit, windowMs)
    this.#limiters.set(name, created)
    return created
  }
}

/** In memory, of this process alone. The library is loaded when the first rule needs it. */
export const countInMemory: CreateLimiter = async (limit, windowMs) => {
  const { RateLimiterMemory } = await import('rate-limiter-flexible')
  return new RateLimiterMemory({ points: limit, duration: windowMs / 1000 })
}

export function refuseRate({ call, variant }: Classified, { rule, waitMs }: Exceeded): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return {
    code: 'rate_limited',
    message: `Too many calls of ${JSON.stringify(call.typed)}: ${rule.reason.text}.`,
    tool: call.typed,
    variant,
    verdict: 'deny',
    reasons: [rule.reason],
    remedy: `Wait ${seconds} s, and call less often.`,
  }
}

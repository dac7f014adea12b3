import type { Rate } from '../scope/scope.ts'
import type { RateStore } from './store.ts'

interface Limiter {
  consume(key: string): Promise<unknown>
}

export function createRateStore(createLimiter: (rate: Rate) => Promise<Limiter>): RateStore {
  const limiters = new Map<string, Promise<Limiter>>()

  function limiterFor(rate: Rate): Promise<Limiter> {
    const name = `${rate.limit}/${rate.windowMs}`
    const known = limiters.get(name)
    if (known !== undefined) return known
    const created = createLimiter(rate)
    limiters.set(name, created)
    return created
  }

  return {
    async take(key, rate) {
      const limiter = await limiterFor(rate)
      try {
        await limiter.consume(key)
        return undefined
      } catch (error) {
        if (error instanceof Error) throw error
        return (error as { msBeforeNext?: number }).msBeforeNext ?? rate.windowMs
      }
    },
  }
}

/**
 * Creates a store that counts only this process's events. The rate-limiting library is loaded when the first rule needs
 * it.
 */
export function countInMemory(): RateStore {
  return createRateStore(async ({ limit, windowMs }) => {
    const { RateLimiterMemory } = await import('rate-limiter-flexible')
    return new RateLimiterMemory({ points: limit, duration: windowMs / 1000 })
  })
}

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AdminProblem } from '../http/problem.ts'
import { networkOf } from './network-of.ts'

const MINUTE = 60

/**
 * A code has 256 bits, so nobody guesses one; nobody need be let try, either. Only wrong codes count, and a right one is
 * never refused: behind a proxy everybody has the same address, and whoever has no code could keep all others out.
 */
export class SignInLimit {
  readonly #each = new RateLimiterMemory({ points: 10, duration: MINUTE })
  readonly #all = new RateLimiterMemory({ points: 100, duration: MINUTE })

  /** Somebody came with a wrong code. */
  async fail(address: string): Promise<void> {
    try {
      await this.#each.consume(networkOf(address))
      await this.#all.consume('all')
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      const seconds = Math.ceil(error.msBeforeNext / 1000)
      throw new AdminProblem('too_many', `Too many attempts to sign in; try again in ${seconds} seconds.`)
    }
  }
}

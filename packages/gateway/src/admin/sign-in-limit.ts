import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AdminProblem } from './problem.ts'

const MINUTE = 60

/** A code has 256 bits, so nobody guesses one; nobody need be let try, either. */
export class SignInLimit {
  readonly #each = new RateLimiterMemory({ points: 10, duration: MINUTE })
  readonly #all = new RateLimiterMemory({ points: 100, duration: MINUTE })

  async take(address: string): Promise<void> {
    try {
      await this.#each.consume(address)
      await this.#all.consume('all')
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      const seconds = Math.ceil(error.msBeforeNext / 1000)
      throw new AdminProblem('too_many', `Too many attempts to sign in; try again in ${seconds} seconds.`)
    }
  }
}

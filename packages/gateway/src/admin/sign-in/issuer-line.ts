import { isIPv6 } from 'node:net'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { FairQueue, Visitor } from '../../admission/fair-queue.ts'
import { LIMITS } from '../../admission/limits.ts'

const { places, waiting, patienceMs } = LIMITS.turns.ofIssuer
const BUSY = 'Too many people sign in just now; try again.'

/** Somebody with a question to the issuer. */
interface Asker {
  /** Absent where everybody has the same, as behind a proxy. */
  readonly address: string | undefined
  /** Calls back when they do not wait for the answer any more. */
  onGone(listener: () => void): void
}

export type Answer<T> = { readonly said: T | undefined } | { readonly refused: string }

/**
 * The issuer is asked with our secret before anybody knows whether what came back is worth anything. So it is asked a few
 * questions at once, address by address, and everybody else waits. Only an address that is somebody's own is ever refused
 * for what failed: any other count would be one that strangers fill to keep everybody out.
 */
export class IssuerLine {
  readonly #queue = new FairQueue({ places, waiting })
  readonly #failed = new RateLimiterMemory({ points: 10, duration: 60 })

  async ask<T>(asker: Asker, question: () => Promise<T | undefined>): Promise<Answer<T>> {
    const visitor = new Visitor()
    asker.onGone(() => visitor.giveUp())
    const network = asker.address === undefined ? undefined : networkOf(asker.address)
    const turn = await this.#queue.enter(visitor, network ?? '', patienceMs)
    try {
      return turn === 'granted' ? await this.#count(network, question) : { refused: BUSY }
    } finally {
      this.#queue.leave(visitor)
    }
  }

  /** It counts as failed until it proves right. */
  async #count<T>(address: string | undefined, question: () => Promise<T | undefined>): Promise<Answer<T>> {
    if (address === undefined) return { said: await question() }
    const seconds = await this.#fail(address)
    if (seconds > 0) return { refused: `Too many attempts to sign in; try again in ${seconds} seconds.` }
    const said = await question()
    if (said !== undefined) await this.#failed.reward(address)
    return { said }
  }

  /** For how many seconds the address has failed too often. */
  async #fail(address: string): Promise<number> {
    try {
      await this.#failed.consume(address)
      return 0
    } catch (error) {
      if (error instanceof RateLimiterRes) return Math.ceil(error.msBeforeNext / 1000)
      throw error
    }
  }
}

const GROUPS = 8

/**
 * Whose an address is. With IPv6 everybody has a whole /64, and would be somebody else with each of its addresses.
 *
 * @example
 * networkOf('2001:db8:1:2::7') // '2001:db8:1:2'
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  // With dots in it, it is one of IPv4.
  if (!isIPv6(plain) || plain.includes('.')) return address
  const [before = [], behind = []] = plain.split('::').map(side => side.split(':').filter(Boolean))
  const between = Array.from({ length: GROUPS - before.length - behind.length }, () => '0')
  return [...before, ...between, ...behind]
    .slice(0, GROUPS / 2)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}

import { AdminProblem } from './problem.ts'

interface Request {
  readonly owner: string
  readonly key: string
  /** Of everything that is asked for. */
  readonly digest: string
}

interface Kept {
  readonly digest: string
  readonly answer: Promise<Response>
  readonly until: number
}

const KEEP_MS = 10 * 60_000
const MOST = 1000

/**
 * Answers the same request with the same key once, and once more with the same words. They are remembered in this
 * process and for a while: a secret that is shown once must not be written down for it.
 */
export class IdempotentAnswers {
  readonly #now: () => number
  readonly #kept = new Map<string, Kept>()

  constructor(now: () => number) {
    this.#now = now
  }

  async once({ owner, key, digest }: Request, run: () => Promise<Response>): Promise<Response> {
    if (key.length > 200)
      throw new AdminProblem('invalid_request', 'An Idempotency-Key has 200 characters at most.')
    const now = this.#now()
    const id = JSON.stringify([owner, key])
    const known = this.#kept.get(id)
    if (known !== undefined && known.until > now) {
      if (known.digest === digest) return (await known.answer).clone()
      throw new AdminProblem('idempotency_mismatch', 'This Idempotency-Key belongs to another request.')
    }
    const answer = run()
    this.#kept.set(id, { digest, answer, until: now + KEEP_MS })
    this.#forgetOldest()
    // Who failed may try again with the same key.
    answer.catch(() => this.#kept.delete(id))
    return (await answer).clone()
  }

  #forgetOldest(): void {
    for (const id of this.#kept.keys()) {
      if (this.#kept.size <= MOST) return
      this.#kept.delete(id)
    }
  }
}

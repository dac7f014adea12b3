import { AdminProblem } from './problem.ts'

interface Request {
  readonly owner: string
  readonly key: string
  /** Of everything that is asked for; short, whatever that is. */
  readonly digest: string
}

interface Answer {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: ArrayBuffer
}

interface Kept {
  readonly digest: string
  readonly answer: Promise<Answer>
  readonly until: number
  /** Of the answer, as soon as it is there. */
  bytes: number
}

const KEEP_MS = 10 * 60_000
const MOST = 1000
const MOST_BYTES = 8 * 1024 * 1024

/**
 * Answers the same request with the same key once, and once more with the same words. They are remembered in this
 * process and for a while: a secret that is shown once must not be written down for it.
 */
export class IdempotentAnswers {
  readonly #now: () => number
  /** The oldest first. */
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  constructor(now: () => number) {
    this.#now = now
  }

  async once({ owner, key, digest }: Request, run: () => Promise<Response>): Promise<Response> {
    if (key.length > 200)
      throw new AdminProblem('invalid_request', 'An Idempotency-Key has 200 characters at most.')
    this.#forgetOld()
    const id = JSON.stringify([owner, key])
    const known = this.#kept.get(id)
    if (known === undefined) return write(await this.#keep(id, digest, run).answer)
    if (known.digest === digest) return write(await known.answer)
    throw new AdminProblem('idempotency_mismatch', 'This Idempotency-Key belongs to another request.')
  }

  #keep(id: string, digest: string, run: () => Promise<Response>): Kept {
    const kept: Kept = { digest, answer: run().then(read), until: this.#now() + KEEP_MS, bytes: 0 }
    this.#kept.set(id, kept)
    kept.answer.then(
      ({ body }) => {
        if (this.#kept.get(id) !== kept) return
        kept.bytes = body.byteLength
        this.#bytes += kept.bytes
        this.#forgetMany()
      },
      // Who failed may try again with the same key.
      () => {
        if (this.#kept.get(id) === kept) this.#forget(id, kept)
      },
    )
    this.#forgetMany()
    return kept
  }

  #forgetOld(): void {
    const now = this.#now()
    for (const [id, kept] of this.#kept) {
      if (kept.until > now) return
      this.#forget(id, kept)
    }
  }

  #forgetMany(): void {
    for (const [id, kept] of this.#kept) {
      if (this.#kept.size <= MOST && this.#bytes <= MOST_BYTES) return
      this.#forget(id, kept)
    }
  }

  #forget(id: string, { bytes }: Kept): void {
    this.#kept.delete(id)
    this.#bytes -= bytes
  }
}

async function read(response: Response): Promise<Answer> {
  const { status, headers } = response
  return { status, headers: [...headers], body: await response.arrayBuffer() }
}

function write({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers: headers.map(([name, value]) => [name, value]) })
}

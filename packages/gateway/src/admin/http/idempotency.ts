import { AdminProblem } from './problem.ts'

interface Request {
  readonly owner: string
  readonly key: string
  /** A digest of the whole request. */
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
  /** The size of the answer, once it is known. */
  bytes: number
}

const KEEP_MS = 10 * 60_000
const MOST = 1000
const MOST_BYTES = 8 * 1024 * 1024

/**
 * Runs requests with the same key only once, and repeats the answer. Answers are kept in memory for a while and never
 * stored, because they may contain a secret that is shown only once.
 */
export class IdempotentAnswers {
  readonly #now: () => number
  /** The answers, oldest first. */
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  constructor(now: () => number) {
    this.#now = now
  }

  async once({ owner, key, digest }: Request, run: () => Promise<Response>): Promise<Response> {
    if (key.length > 200)
      throw new AdminProblem(
        'invalid_request',
        'The Idempotency-Key is too long. Use at most 200 characters.',
      )
    this.#forgetOld()
    const id = JSON.stringify([owner, key])
    const known = this.#kept.get(id)
    if (known === undefined) return write(await this.#keep(id, digest, run).answer)
    if (known.digest === digest) return write(await known.answer)
    throw new AdminProblem(
      'idempotency_mismatch',
      'This Idempotency-Key was used for another request. Use a new key.',
    )
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
      // A failed request may be repeated with the same key.
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

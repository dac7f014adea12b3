import { randomBytes } from 'node:crypto'
import { loadUndici } from '../base/load-undici.ts'
import { CHALLENGE, type Owner, PROOF, type Stamps } from './stamps.ts'

/** Asks who is at an address, and gives what it shows for it. */
export type Ask = (address: string, challenge: string) => Promise<string | undefined>

/** An address changes hands more slowly than that. */
const FRESH_MS = 1000
const MOST_MET = 1000

/**
 * Whether replicas are still where their marks say. A mark outlives its replica, and whoever has the address then would get
 * the token and the arguments of a caller; so nothing of a caller is sent before the replica has shown who it is.
 */
export class Meetings {
  readonly #stamps: Stamps
  readonly #ask: Ask
  readonly #met = new Map<string, { readonly at: number; readonly isThere: Promise<boolean> }>()

  constructor(stamps: Stamps, ask: Ask = askOverHttp) {
    this.#stamps = stamps
    this.#ask = ask
  }

  isThere(owner: Owner, now: number): Promise<boolean> {
    const met = this.#met.get(owner.mark)
    if (met !== undefined && now - met.at < FRESH_MS) return met.isThere
    if (this.#met.size >= MOST_MET) this.#met.clear()
    const isThere = this.#meet(owner)
    this.#met.set(owner.mark, { at: now, isThere })
    return isThere
  }

  /** It could not be reached: who is there the next time may be somebody else. */
  forget({ mark }: Owner): void {
    this.#met.delete(mark)
  }

  async #meet(owner: Owner): Promise<boolean> {
    const challenge = randomBytes(24).toString('base64url')
    const proof = await this.#ask(owner.address, challenge)
    const isThere = proof !== undefined && this.#stamps.isProof(proof, owner, challenge)
    // Who did not answer may do so the next time.
    if (!isThere) this.forget(owner)
    return isThere
  }
}

const PATIENCE_MS = 10_000

async function askOverHttp(address: string, challenge: string): Promise<string | undefined> {
  try {
    const { headers, body } = await loadUndici().request(`${address}/healthz`, {
      method: 'GET',
      headers: { [CHALLENGE]: challenge },
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
    })
    body.dump().catch(() => {})
    const proof = headers[PROOF]
    return typeof proof === 'string' ? proof : undefined
  } catch {
    return undefined
  }
}

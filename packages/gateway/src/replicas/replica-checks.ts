import { randomBytes } from 'node:crypto'
import { loadUndici } from '../base/load-undici.ts'
import { CHALLENGE, type Owner, PROOF, type Stamps } from './stamps.ts'

/** Sends a challenge to an address. Returns the proof of identity, if there is one. */
export type Ask = (address: string, challenge: string) => Promise<string | undefined>

/** A check is valid for this long. An address is not reused by another process within this time. */
const FRESH_MS = 1000
const MOST_KNOWN = 1000

/**
 * Checks whether replicas still run at the addresses in their stamps. A stamp can outlive its replica. A process that
 * gets the address later would receive the caller's token and arguments, so a replica must prove its identity before
 * anything is sent to it.
 */
export class ReplicaChecks {
  readonly #stamps: Stamps
  readonly #ask: Ask
  readonly #checked = new Map<string, { readonly at: number; readonly isThere: Promise<boolean> }>()

  constructor(stamps: Stamps, ask: Ask = askOverHttp) {
    this.#stamps = stamps
    this.#ask = ask
  }

  isThere(owner: Owner, now: number): Promise<boolean> {
    const known = this.#checked.get(owner.mark)
    if (known !== undefined && now - known.at < FRESH_MS) return known.isThere
    if (this.#checked.size >= MOST_KNOWN) this.#checked.clear()
    const isThere = this.#check(owner)
    this.#checked.set(owner.mark, { at: now, isThere })
    return isThere
  }

  /** Forgets a check after a connection failure, because a different process might have the address now. */
  forget({ mark }: Owner): void {
    this.#checked.delete(mark)
  }

  async #check(owner: Owner): Promise<boolean> {
    const challenge = randomBytes(24).toString('base64url')
    const proof = await this.#ask(owner.address, challenge)
    const isThere = proof !== undefined && this.#stamps.isProof(proof, owner, challenge)
    // A failed check is not remembered, so the next request tries again.
    if (!isThere) this.forget(owner)
    return isThere
  }
}

const TIMEOUT_MS = 10_000

async function askOverHttp(address: string, challenge: string): Promise<string | undefined> {
  try {
    const { headers, body } = await loadUndici().request(`${address}/healthz`, {
      method: 'GET',
      headers: { [CHALLENGE]: challenge },
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    })
    body.dump().catch(() => {})
    const proof = headers[PROOF]
    return typeof proof === 'string' ? proof : undefined
  } catch {
    return undefined
  }
}

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** In these a replica is asked who it is, and says so. */
export const CHALLENGE = 'hintgate-challenge'
export const PROOF = 'hintgate-proof'

const LONGEST_CHALLENGE = 64

/** How a replica shows that a mark is its own: only who has the shared key can, and only the process that made it does. */
export class Prover {
  readonly #key: Buffer

  constructor(secret: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'hintgate replica proof', 32))
  }

  prove(mark: string, challenge: string): string {
    const asked = challenge.slice(0, LONGEST_CHALLENGE)
    return createHmac('sha256', this.#key).update(`${asked} ${mark}`).digest('base64url')
  }

  isProof(proof: string, mark: string, challenge: string): boolean {
    const [given, right] = [Buffer.from(proof), Buffer.from(this.prove(mark, challenge))]
    return given.length === right.length && timingSafeEqual(given, right)
  }
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AuditSeal } from '../store/audit-store.ts'
import type { Link } from './chain.ts'

interface Sealed {
  readonly id: number
  readonly name: string
}

/** A head says where a chain ends, a segment up to where it was pruned: one must not pass for the other. */
type SealKind = 'head' | 'segment'

/**
 * Whoever can write the database can compute hashes; only who has the key of the home folder can seal. The seal of its
 * end makes a chain worth more than its rows: they cannot be computed anew, nor the last ones taken away.
 */
export class Sealer {
  readonly keyId: string
  readonly #key: Buffer

  /** Tokens are hashed with the same secret; a key of its own keeps the two apart. */
  constructor(secret: Buffer) {
    this.#key = createHmac('sha256', secret).update('hintgate audit seals 1').digest()
    this.keyId = createHmac('sha256', this.#key).update('id').digest('hex').slice(0, 16)
  }

  seal(kind: SealKind, writer: Sealed, { seq, hash }: Link): AuditSeal {
    return { seq, hash, mac: this.#mac(kind, writer, { seq, hash }).toString('base64url') }
  }

  isGenuine(kind: SealKind, writer: Sealed, seal: AuditSeal): boolean {
    const given = Buffer.from(seal.mac, 'base64url')
    const own = this.#mac(kind, writer, seal)
    return given.length === own.length && timingSafeEqual(given, own)
  }

  #mac(kind: SealKind, { id, name }: Sealed, { seq, hash }: Link): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([kind, id, name, seq, hash]))
      .digest()
  }
}

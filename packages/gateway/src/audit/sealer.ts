import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AuditSeal } from '../store/audit-store.ts'
import type { Link } from './chain.ts'

interface Sealed {
  readonly id: number
  readonly name: string
}

/**
 * The kinds of seals: `head` for the end of a chain, `segment` for its pruned part. The kind is part of the sealed
 * text, so that neither kind of seal can replace the other.
 */
type SealKind = 'head' | 'segment'

/**
 * Seals the ends of chains, so that recomputed and removed rows are noticed. Anyone who can write to the database can
 * compute hashes, but only the holder of the home folder's key can seal.
 */
export class Sealer {
  readonly keyId: string
  readonly #key: Buffer

  /** Derives a separate key for seals, because tokens are hashed with the same secret. */
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

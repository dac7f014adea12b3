import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { Sealer } from '../audit/sealer.ts'
import { HintgateError } from '../base/errors.ts'
import { TextSealer } from '../base/text-sealer.ts'
import type { Store } from '../store/store.ts'

/** Adds a stamp to the ids of things that exist in only one process. The stamp tells which replica has them. */
export interface Stamps {
  stamp(name: string): string
  /** Returns the replica that owns a stamped id; undefined if it is this one or unknown. */
  elsewhere(name: string): Owner | undefined
  /**
   * Returns the proof that this process made its own stamp, for another replica. Returns undefined if there are no
   * replicas.
   */
  prove(challenge: string): string | undefined
  isProof(proof: string, owner: Owner, challenge: string): boolean
}

/** Another replica. After a restart, a replica has a new stamp (`mark`). */
export interface Owner {
  readonly address: string
  readonly mark: string
}

/** The implementation for a gateway without replicas, which owns everything. */
export const NO_STAMPS: Stamps = {
  stamp: name => name,
  elsewhere: () => undefined,
  prove: () => undefined,
  isProof: () => false,
}

const MARK = '~'
const MOST_KNOWN = 10_000

/**
 * Creates stamps with the address at which other replicas reach this one. A stamp is sealed with the shared key, so
 * that a client cannot make one up and redirect requests.
 */
export function createStamps(advertise: string, secret: Buffer): Stamps {
  const sealer = new TextSealer(secret, 'replica address')
  const ours = sealer.seal(advertise)
  /** The owner of each known stamp. Every process has one stamp. */
  const known = new Map<string, Owner | undefined>([[ours, undefined]])
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'hintgate replica proof', 32))

  /** Creates a proof for a stamp, which requires the shared key. A process creates proofs only for its own stamp. */
  function prove(mark: string, challenge: string): string {
    const asked = challenge.slice(0, LONGEST_CHALLENGE)
    return createHmac('sha256', key).update(`${asked} ${mark}`).digest('base64url')
  }

  function read(mark: string): Owner | undefined {
    const address = sealer.open(mark)
    // If the stamp has this replica's own address, it is from before a restart, so its session or call no longer
    // exists.
    const found = address === undefined || address === advertise ? undefined : { address, mark }
    if (known.size >= MOST_KNOWN) known.clear()
    // Invalid stamps are not cached, because clients can invent any number of them.
    if (address !== undefined) known.set(mark, found)
    return found
  }

  return {
    stamp: name => `${name}${MARK}${ours}`,
    elsewhere(name) {
      const at = name.lastIndexOf(MARK)
      if (at === -1) return undefined
      const mark = name.slice(at + 1)
      return mark === ours ? undefined : known.has(mark) ? known.get(mark) : read(mark)
    },
    prove: challenge => prove(ours, challenge),
    isProof(proof, { mark }, challenge) {
      const [given, right] = [Buffer.from(proof), Buffer.from(prove(mark, challenge))]
      return given.length === right.length && timingSafeEqual(given, right)
    },
  }
}

/** The header with the challenge to a replica. `PROOF` is the header with the replica's answer. */
export const CHALLENGE = 'hintgate-challenge'
export const PROOF = 'hintgate-proof'

const LONGEST_CHALLENGE = 64

/** A replica that wrote to the audit log within this time counts as running. */
const LATELY_MS = 60_000

/** Throws if a running replica has a different key, because the two would refuse each other's tokens and approvals. */
export async function checkSharedKey({ audit, isShared }: Store, secret: Buffer, now: number): Promise<void> {
  if (!isShared) return
  const { keyId } = new Sealer(secret)
  const others = await audit.writers('open')
  if (others.some(other => other.keyId !== keyId && now - other.seenAt < LATELY_MS))
    throw new HintgateError('secret_key_differs', { store: 'this database' })
}

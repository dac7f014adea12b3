import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { Sealer } from '../audit/sealer.ts'
import { HintgateError } from '../base/errors.ts'
import { TextSealer } from '../base/text-sealer.ts'
import type { Store } from '../store/store.ts'

/** Adds the owning replica to ids of things that live in one process only. */
export interface Stamps {
  stamp(name: string): string
  /** The replica that owns a stamped id, unless it is this one. */
  elsewhere(name: string): Owner | undefined
  /** Proves to another replica that our stamp is ours. Undefined without replicas. */
  prove(challenge: string): string | undefined
  isProof(proof: string, owner: Owner, challenge: string): boolean
}

/** Another replica, until it restarts: then it has another stamp. */
export interface Owner {
  readonly address: string
  readonly mark: string
}

/** A single gateway owns everything. */
export const NO_STAMPS: Stamps = {
  stamp: name => name,
  elsewhere: () => undefined,
  prove: () => undefined,
  isProof: () => false,
}

const MARK = '~'
const MOST_KNOWN = 10_000

/**
 * Stamps ids with the address under which other replicas reach this one. The stamp is sealed with the shared key, so
 * that a client cannot make one up and redirect requests.
 */
export function createStamps(advertise: string, secret: Buffer): Stamps {
  const sealer = new TextSealer(secret, 'replica address')
  const ours = sealer.seal(advertise)
  /** Each replica process has one stamp. */
  const known = new Map<string, Owner | undefined>([[ours, undefined]])
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'hintgate replica proof', 32))

  /** A proof needs the shared key, and a process proves only its own stamp. */
  function prove(mark: string, challenge: string): string {
    const asked = challenge.slice(0, LONGEST_CHALLENGE)
    return createHmac('sha256', key).update(`${asked} ${mark}`).digest('base64url')
  }

  function read(mark: string): Owner | undefined {
    const address = sealer.open(mark)
    // Our own stamp from before a restart: what it named is gone.
    const found = address === undefined || address === advertise ? undefined : { address, mark }
    if (known.size >= MOST_KNOWN) known.clear()
    // Invalid stamps are not cached, because clients can invent any number.
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

/** The headers in which a replica is challenged and answers. */
export const CHALLENGE = 'hintgate-challenge'
export const PROOF = 'hintgate-proof'

const LONGEST_CHALLENGE = 64

/** A replica that wrote this recently still runs. */
const LATELY_MS = 60_000

/** Replicas with different keys would refuse each other's tokens and approvals, so the second one must not start. */
export async function checkSharedKey({ audit, isShared }: Store, secret: Buffer, now: number): Promise<void> {
  if (!isShared) return
  const { keyId } = new Sealer(secret)
  const others = await audit.writers('open')
  if (others.some(other => other.keyId !== keyId && now - other.seenAt < LATELY_MS))
    throw new HintgateError('secret_key_differs', { store: 'this database' })
}

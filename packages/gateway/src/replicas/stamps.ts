import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { Sealer } from '../audit/sealer.ts'
import { HintgateError } from '../base/errors.ts'
import { TextSealer } from '../base/text-sealer.ts'
import type { Store } from '../store/store.ts'

/** Names of what lives in one process alone, marked with where that is. */
export interface Stamps {
  stamp(name: string): string
  /** Where a marked name lives, if in another replica. */
  elsewhere(name: string): Owner | undefined
  /** Shows whoever asks that our mark is ours. Undefined where there are no others. */
  prove(challenge: string): string | undefined
  isProof(proof: string, owner: Owner, challenge: string): boolean
}

/** Another replica, as long as it lives: after a restart it has another mark. */
export interface Owner {
  readonly address: string
  readonly mark: string
}

/** One gateway alone: nothing lives elsewhere. */
export const NO_STAMPS: Stamps = {
  stamp: name => name,
  elsewhere: () => undefined,
  prove: () => undefined,
  isProof: () => false,
}

const MARK = '~'
const MOST_KNOWN = 10_000

/**
 * Marks names with the address under which the other replicas reach this one. The mark is sealed with the key that
 * they share: a client cannot make one up and so send us anywhere.
 */
export function createStamps(advertise: string, secret: Buffer): Stamps {
  const sealer = new TextSealer(secret, 'replica address')
  const ours = sealer.seal(advertise)
  /** Every replica has one mark for as long as it lives. */
  const known = new Map<string, Owner | undefined>([[ours, undefined]])
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'hintgate replica proof', 32))

  /** Only who has the shared key can show that a mark is its own, and only the process that made it does. */
  function prove(mark: string, challenge: string): string {
    const asked = challenge.slice(0, LONGEST_CHALLENGE)
    return createHmac('sha256', key).update(`${asked} ${mark}`).digest('base64url')
  }

  function read(mark: string): Owner | undefined {
    const address = sealer.open(mark)
    // Ours from before a restart: what had that name is gone.
    const found = address === undefined || address === advertise ? undefined : { address, mark }
    if (known.size >= MOST_KNOWN) known.clear()
    // What is not a replica's is not worth remembering: there is no end to it.
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

/** In these a replica is asked who it is, and says so. */
export const CHALLENGE = 'hintgate-challenge'
export const PROOF = 'hintgate-proof'

const LONGEST_CHALLENGE = 64

/** Who wrote that lately is still there. */
const LATELY_MS = 60_000

/** Replicas with different keys would refuse each other's tokens and approvals; better none starts at all. */
export async function checkSharedKey({ audit, isShared }: Store, secret: Buffer, now: number): Promise<void> {
  if (!isShared) return
  const { keyId } = new Sealer(secret)
  const others = await audit.writers('open')
  if (others.some(other => other.keyId !== keyId && now - other.seenAt < LATELY_MS))
    throw new HintgateError('secret_key_differs', { store: 'this database' })
}

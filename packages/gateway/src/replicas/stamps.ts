import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { Sealer } from '../audit/sealer.ts'
import { HintgateError } from '../base/errors.ts'
import { TextSealer } from '../base/text-sealer.ts'
import type { Store } from '../store/store.ts'

/** Adds the owning replica to the ids of things that exist only in one process. */
export interface Stamps {
  stamp(name: string): string
  /** Finds the replica that owns a stamped id, unless it is this one. */
  elsewhere(name: string): Owner | undefined
  /** Proves to another replica that this process made its stamp; undefined without replicas. */
  prove(challenge: string): string | undefined
  isProof(proof: string, owner: Owner, challenge: string): boolean
}

/** Another replica. It has a new stamp after a restart. */
export interface Owner {
  readonly address: string
  readonly mark: string
}

/** The stamps of a single gateway, which owns everything. */
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
  /** The owners of known stamps; each replica's process has one stamp. */
  const known = new Map<string, Owner | undefined>([[ours, undefined]])
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'hintgate replica proof', 32))

  /** Creates a proof, which needs the shared key; a process proves only its own stamp. */
  function prove(mark: string, challenge: string): string {
    const asked = challenge.slice(0, LONGEST_CHALLENGE)
    return createHmac('sha256', key).update(`${asked} ${mark}`).digest('base64url')
  }

  function read(mark: string): Owner | undefined {
    const address = sealer.open(mark)
    // With this replica's own address, it is a stamp from before a restart, and its session or call is gone.
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

/** The headers with the challenge to a replica and its answer. */
export const CHALLENGE = 'hintgate-challenge'
export const PROOF = 'hintgate-proof'

const LONGEST_CHALLENGE = 64

/** A replica that wrote to the log within this time counts as running. */
const LATELY_MS = 60_000

/** Throws if a running replica has another key: the two would refuse each other's tokens and approvals. */
export async function checkSharedKey({ audit, isShared }: Store, secret: Buffer, now: number): Promise<void> {
  if (!isShared) return
  const { keyId } = new Sealer(secret)
  const others = await audit.writers('open')
  if (others.some(other => other.keyId !== keyId && now - other.seenAt < LATELY_MS))
    throw new HintgateError('secret_key_differs', { store: 'this database' })
}

import { createHash, createPublicKey } from 'node:crypto'
import { HintgateError } from '../../base/errors.ts'
import type { TextSealer } from '../../base/text-sealer.ts'
import type { NotifyConfig } from '../../config/build-notify.ts'
import type { PushSubscriberStore } from '../../store/notification-store.ts'
import type { PushKeys } from './encrypt-push.ts'
import type { VapidKey } from './vapid.ts'

export interface Subscription {
  readonly endpoint: string
  readonly keys: PushKeys
}

export interface Subscriber extends Subscription {
  readonly id: string
}

interface SubscribersDeps {
  readonly store: PushSubscriberStore
  readonly sealer: TextSealer
  readonly vapid: VapidKey
  readonly channels: () => readonly NotifyConfig[]
  readonly now: () => number
}

/** Maximum number of browsers per person. */
const MOST_OF_PERSON = 10
/**
 * A subscription is valid for this long. Opening the console renews it, so a person who has lost their access does not
 * get messages for ever.
 */
const VALID_MS = 30 * 24 * 60 * 60 * 1000
const POINT_BYTES = 65
const AUTH_BYTES = 16

/** The browsers in which people turned notifications on. */
export class PushSubscribers {
  readonly #deps: SubscribersDeps

  constructor(deps: SubscribersDeps) {
    this.#deps = deps
  }

  /** Returns the gateway's public key; undefined if the config has no channel for browsers. */
  async publicKey(): Promise<string | undefined> {
    return this.#services() === undefined ? undefined : this.#deps.vapid.publicKey()
  }

  /** Stores a person's browser. Throws `push_refused` if the subscription is not acceptable. */
  async subscribe(person: string, subscription: Subscription): Promise<void> {
    const why = this.#findProblem(subscription)
    if (why !== undefined) throw new HintgateError('push_refused', { why })
    const { store, sealer, now } = this.#deps
    const { endpoint, keys } = subscription
    const sealed = sealer.seal(JSON.stringify({ endpoint, keys }))
    await store.save({ id: idOf(endpoint), person, sealed, createdAt: now() }, MOST_OF_PERSON)
  }

  /** Removes a person's browser. Returns false if the person has no such browser. */
  unsubscribe(person: string, endpoint: string): Promise<boolean> {
    return this.#deps.store.remove(idOf(endpoint), person)
  }

  remove(id: string): Promise<boolean> {
    return this.#deps.store.remove(id)
  }

  async list(): Promise<readonly Subscriber[]> {
    const { store, sealer, now } = this.#deps
    const all = (await store.list()).filter(({ createdAt }) => now() - createdAt < VALID_MS)
    return all.flatMap(({ id, sealed }) => {
      const text = sealer.open(sealed)
      return text === undefined ? [] : [{ id, ...(JSON.parse(text) as Subscription) }]
    })
  }

  #services(): readonly string[] | undefined {
    const found = this.#deps.channels().filter(one => one.type === 'browser')
    return found.length === 0 ? undefined : found.flatMap(({ services }) => services)
  }

  #findProblem({ endpoint, keys }: Subscription): string | undefined {
    const services = this.#services()
    if (services === undefined) return 'no channel of type browser is configured'
    if (!URL.canParse(endpoint)) return 'the address is not a URL'
    const { protocol, origin } = new URL(endpoint)
    if (protocol !== 'https:' && !services.includes(origin)) return 'the address is not https'
    return areKeys(keys) ? undefined : 'the keys are not valid browser keys'
  }
}

/**
 * Checks the form of a browser's keys, and that the public key is a point on the curve. Using any other point would
 * reveal something about the gateway's private key.
 */
function areKeys({ p256dh, auth }: PushKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== POINT_BYTES || point[0] !== 4) return false
  if (Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return false
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'))
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y } as never, format: 'jwk' })
    return true
  } catch {
    return false
  }
}

function idOf(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('base64url')
}

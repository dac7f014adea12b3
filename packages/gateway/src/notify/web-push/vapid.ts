import { createPrivateKey, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto'
import type { TextSealer } from '../../base/text-sealer.ts'
import type { SecretStore } from '../../store/store.ts'

const NAME = 'push:vapid'
/** Each header is valid for this long, in seconds. Push services accept at most a day. */
const VALID_S = 12 * 60 * 60

/**
 * The key that identifies this gateway to push services (RFC 8292). It is created once and kept sealed in the store.
 */
export class VapidKey {
  readonly #secrets: SecretStore
  readonly #sealer: TextSealer

  constructor(secrets: SecretStore, sealer: TextSealer) {
    this.#secrets = secrets
    this.#sealer = sealer
  }

  /** Returns the public key with which browsers subscribe, uncompressed, as base64url. */
  async publicKey(): Promise<string> {
    const { x = '', y = '' } = await this.#load()
    return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
      'base64url',
    )
  }

  /** Returns the `Authorization` header for one push service. */
  async authorize(endpoint: string, contact: string, now: number): Promise<string> {
    const jwk = await this.#load()
    const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + VALID_S, sub: contact }
    const head = [{ typ: 'JWT', alg: 'ES256' }, claims].map(part =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const key = createPrivateKey({ key: jwk, format: 'jwk' })
    const signature = sign('sha256', Buffer.from(head.join('.')), { key, dsaEncoding: 'ieee-p1363' })
    return `vapid t=${head.join('.')}.${signature.toString('base64url')}, k=${await this.publicKey()}`
  }

  /**
   * Reads the key from the store each time, because another replica might have stored a different one a moment later.
   */
  async #load(): Promise<JsonWebKey> {
    const sealed = await this.#secrets.find(NAME)
    const text = sealed === undefined ? undefined : this.#sealer.open(sealed)
    if (text !== undefined) return JSON.parse(text) as JsonWebKey
    const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
    await this.#secrets.save(NAME, this.#sealer.seal(JSON.stringify(jwk)))
    return jwk
  }
}

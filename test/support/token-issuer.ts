import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { later } from './clean-up.ts'

type Pair = Awaited<ReturnType<typeof generateKeyPair>>

interface Wish {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly audience?: string | string[]
  readonly alg?: string
  readonly expires?: string
  /** A key that is not published, under the id of the published one. */
  readonly signedBy?: Pair['privateKey'] | Uint8Array
  readonly kid?: string
}

/** An issuer that signs any claims, and counts how often its keys are requested. */
export class TokenIssuer {
  url = ''
  asked = 0
  isDown = false
  #pair: Pair | undefined
  #kid = 0

  static async start(): Promise<TokenIssuer> {
    const issuer = new TokenIssuer()
    await issuer.rotate()
    const server = createServer((req, res) => {
      if (issuer.isDown) return void res.destroy()
      if (req.url === '/.well-known/oauth-authorization-server')
        return void res.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }))
      if (req.url !== '/keys') return void res.writeHead(404).end()
      issuer.asked += 1
      void issuer.#publicKeys().then(keys => res.end(JSON.stringify({ keys })))
    })
    later(() => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return issuer
  }

  /** Replaces the keys. */
  async rotate(): Promise<void> {
    this.#pair = await generateKeyPair('ES256')
    this.#kid += 1
  }

  async #publicKeys() {
    return [{ ...(await exportJWK(this.#own.publicKey)), kid: `key-${this.#kid}`, alg: 'ES256' }]
  }

  get #own(): Pair {
    if (this.#pair === undefined) throw new Error('there are no keys yet')
    return this.#pair
  }

  /** The public key as bytes, for a verifier that mistakes it for a shared secret. */
  async publicKeyText(): Promise<string> {
    return JSON.stringify(await exportJWK(this.#own.publicKey))
  }

  sign({ claims = {}, audience = '', alg = 'ES256', expires = '5m', signedBy, kid }: Wish): Promise<string> {
    const token = new SignJWT({ sub: 'robot', scope: 'mcp:read', iss: this.url, ...claims })
      .setProtectedHeader({ alg, kid: kid ?? `key-${this.#kid}` })
      .setAudience(audience)
      .setIssuedAt()
    return token.setExpirationTime(expires).sign(signedBy ?? this.#own.privateKey)
  }
}

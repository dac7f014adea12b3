import { createHash } from 'node:crypto'
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import type { TextSealer } from '../../base/text-sealer.ts'
import type { SecretStore } from '../../store/store.ts'

/** A sign-in that a person has started but not finished. */
interface Login {
  readonly nonce: string
  readonly expiresAt: number
  readonly verifier?: string
  readonly discovery?: OAuthDiscoveryState
}

export interface Credentials {
  readonly client?: StoredOAuthClientInformation
  readonly tokens?: StoredOAuthTokens
  readonly login?: Login
  /** The scope that the server asked for last, and the URL of the server's metadata. */
  readonly wantedScope?: string
  readonly metadataUrl?: string
}

/**
 * The credentials for one server, encrypted before they are stored. They are stored under a name that includes the
 * server's address: if the address in the config changes, the new server does not receive the old server's credentials.
 */
export class CredentialBox {
  readonly #secrets: SecretStore
  readonly #sealer: TextSealer
  readonly #name: string
  #known: Credentials = {}

  constructor(
    { secrets, sealer }: { readonly secrets: SecretStore; readonly sealer: TextSealer },
    { name, url }: { readonly name: string; readonly url: string },
  ) {
    this.#secrets = secrets
    this.#sealer = sealer
    this.#name = `oauth:${name}:${createHash('sha256').update(url).digest('base64url')}`
  }

  /** The credentials as they were last read. Does not wait. */
  get known(): Credentials {
    return this.#known
  }

  /**
   * Reads the credentials from the store. If they were sealed with a different key, they cannot be opened and count as
   * absent.
   */
  async read(): Promise<Credentials> {
    const sealed = await this.#secrets.find(this.#name)
    const text = sealed === undefined ? undefined : this.#sealer.open(sealed)
    this.#known = text === undefined ? {} : (JSON.parse(text) as Credentials)
    return this.#known
  }

  async change(change: { readonly [K in keyof Credentials]?: Credentials[K] | undefined }): Promise<void> {
    const next = Object.entries({ ...(await this.read()), ...change }).filter(
      ([, value]) => value !== undefined,
    )
    this.#known = Object.fromEntries(next)
    await this.#secrets.save(this.#name, this.#sealer.seal(JSON.stringify(this.#known)))
  }

  async clear(): Promise<boolean> {
    this.#known = {}
    return this.#secrets.remove(this.#name)
  }
}

import { createHash } from 'node:crypto'
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import type { TextSealer } from '../../base/text-sealer.ts'
import type { SecretStore } from '../../store/store.ts'

/** A sign-in that a person has started. */
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
  /** The scope that the server last asked for, and the URL of its metadata. */
  readonly wantedScope?: string
  readonly metadataUrl?: string
}

/**
 * The credentials for one server, encrypted before they are stored. The server's address is part of the name that they
 * are stored under, so that after a change of the address in the config the new server gets none of the old one's
 * credentials.
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

  /** The credentials as last read, without waiting. */
  get known(): Credentials {
    return this.#known
  }

  /**
   * Reads the credentials from the store. A text that cannot be opened was sealed with a different key and counts as
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

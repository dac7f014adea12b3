import { randomBytes as cryptoRandomBytes } from 'node:crypto'
import { HintgateError } from '../base/errors.ts'
import type { AgentTokenConfig } from '../config/config.ts'
import type { OAuthConfig } from '../config/schema/oauth-config.ts'
import { hasExpired, type Principal, type Scope } from '../scope/scope.ts'
import type { Store, StoredToken } from '../store/store.ts'
import { createConfiguredTokens } from './configured-tokens.ts'
import {
  createIssuers,
  type Issuers,
  isForeign,
  looksForeign,
  type Refusal,
  VERIFY_AGAIN_MS,
} from './oauth/issuers.ts'
import { mapVouched } from './oauth/map-claims.ts'
import { createToken, hashToken, hintOf, isTokenName, isWellFormed, type TokenKind } from './token-format.ts'

export interface Minted {
  /** The token. It is shown only once and cannot be recovered. */
  readonly token: string
  readonly stored: StoredToken
}

interface MintOptions {
  readonly expiresAt?: number | undefined
  readonly kind?: TokenKind | undefined
}

export interface Tokens {
  mint(name: string, scope: Scope, options?: MintOptions): Promise<Minted>
  /** Replaces a token's secret. The old secret stops working immediately. */
  rotate(name: string): Promise<Minted>
  revoke(name: string): Promise<void>
  /** Authenticates a caller's token. Console sessions and sign-in codes are not accepted here. */
  authenticate(token: string): Promise<Principal | Refusal>
  /** Authenticates a token that was seen before, without waiting. If the result is undefined, call `authenticate`. */
  recall(token: string): Principal | undefined
  /** Checks whether a principal's credential is still valid. Streams that stay open call this. */
  recheck(principal: Principal): Promise<Principal | Refusal>
  /**
   * Checks without waiting whether a principal's credential is still valid. False means only that some token has
   * changed since, not necessarily this one.
   */
  isAsBefore(principal: Principal): boolean
  /** Authenticates console sessions and nothing else. */
  authenticateSession(token: string): Promise<Principal | Refusal>
  configure(config: TokenConfig): void
}

interface TokenConfig {
  readonly agentTokens?: readonly AgentTokenConfig[] | undefined
  readonly oauth?: OAuthConfig | undefined
}

export interface TokensOptions extends TokenConfig {
  readonly store: Store
  readonly key: Buffer
  /** Called when an issuer cannot be reached. */
  readonly onError?: (error: unknown) => void
  readonly now?: () => number
  readonly randomBytes?: (size: number) => Buffer
  /**
   * How often to check the store for changes. A query for every request would be expensive, and a delay of a few
   * milliseconds does no harm.
   */
  readonly checkEveryMs?: number
}

const MAX_CACHED = 10_000
const TOUCH_EVERY_MS = 60_000

export function isRefusal(answer: Principal | Refusal): answer is Refusal {
  return 'code' in answer
}

export function createTokens(options: TokensOptions): Tokens {
  const { store, key, now = Date.now, randomBytes = cryptoRandomBytes, checkEveryMs = 0 } = options
  const configured = createConfiguredTokens(options.agentTokens ?? [], key)
  /** Principals by token. Valid only while the store's version is `cachedAt`. */
  const cache = new Map<string, Principal>()
  /** Principals that were accepted since the last change. */
  let admitted = new WeakSet<Principal>()
  /** The time at which the last use of each credential was recorded. */
  const touchedAt = new Map<string, number>()
  let { oauth } = options
  let issuers = createForeign(options)
  let cachedAt = store.version()
  let generation = 0
  let checkedAt = Number.NEGATIVE_INFINITY
  let forgotForeignAt = performance.now()

  function createForeign(config: TokenConfig): Issuers | undefined {
    return config.oauth === undefined ? undefined : createIssuers(config.oauth, options.onError ?? (() => {}))
  }

  function refuseExpired(principal: Principal): Principal | Refusal {
    return hasExpired(principal, now()) ? { code: 'expired' } : principal
  }

  async function find(hash: string): Promise<Principal | Refusal> {
    if (isForeign(hash)) return issuers?.recheck(hash) ?? { code: 'unknown' }
    const fromConfig = configured.findByHash(hash)
    if (fromConfig !== undefined) return fromConfig
    const stored = await store.tokens.findByHash(hash)
    if (stored === undefined) return { code: 'unknown' }
    if (stored.revokedAt !== undefined) return { code: 'revoked' }
    // A code is not a credential; it can only be exchanged for one.
    if (stored.scope.console?.kind === 'code') return { code: 'unknown' }
    const scope = scopeNow(stored.scope, oauth)
    return scope === undefined
      ? { code: 'revoked' }
      : configured.applyScope(toPrincipal({ ...stored, scope }))
  }

  function forgetIfChanged(): void {
    const at = performance.now()
    if (at - checkedAt < checkEveryMs) return
    checkedAt = at
    if (at - forgotForeignAt >= VERIFY_AGAIN_MS) forgetForeign(at)
    const version = store.version()
    if (version !== cachedAt) forgetAll()
    cachedAt = version
  }

  function forgetAll(): void {
    cache.clear()
    admitted = new WeakSet()
  }

  /** Forgets tokens from issuers periodically, because an issuer does not announce that it withdrew a key. */
  function forgetForeign(at: number): void {
    forgotForeignAt = at
    if (issuers === undefined) return
    for (const [token, principal] of cache) {
      if (!isForeign(principal.credential)) continue
      cache.delete(token)
      admitted.delete(principal)
    }
  }

  /** Makes the next request check for changes, because this process has just made one. */
  function checkNext(): void {
    checkedAt = Number.NEGATIVE_INFINITY
  }

  function touch({ name, credential }: Principal): void {
    const at = now()
    if (at - (touchedAt.get(credential) ?? 0) < TOUCH_EVERY_MS || isForeign(credential)) return
    if (touchedAt.size >= MAX_CACHED) touchedAt.clear()
    touchedAt.set(credential, at)
    // A stored token is a different token from a secret in the config, even if both have the same name.
    const isFromConfig = configured.findByHash(credential) !== undefined
    const noted = isFromConfig ? store.tokens.noteUse(name, at) : store.tokens.touch(name, at)
    // If recording the use fails, the call must not fail.
    noted.catch(() => {})
  }

  async function lookUp(token: string): Promise<Principal | Refusal> {
    const before = { version: cachedAt, generation }
    const hash = hashToken(token, key)
    const isOurs = isWellFormed(token) || configured.findByHash(hash) !== undefined
    const isTheirs = !isOurs && issuers !== undefined && looksForeign(token)
    if (!isOurs && !isTheirs) return { code: 'malformed' }
    const found = isTheirs ? await issuers?.authenticate(token) : await find(hash)
    if (found === undefined) return { code: 'malformed' }
    // During the read, the token may have been revoked or the config changed.
    if (
      isRefusal(found) ||
      found.scope.console !== undefined ||
      store.version() !== before.version ||
      generation !== before.generation
    )
      return found
    if (cache.size >= MAX_CACHED) forgetAll()
    cache.set(token, found)
    admitted.add(found)
    return found
  }

  return {
    async mint(name, scope, { expiresAt, kind = 'agent' } = {}) {
      if (!isTokenName(name)) throw new HintgateError('token_name_invalid', { name })
      const token = createToken(kind, randomBytes)
      const secret = { hash: hashToken(token, key), hint: hintOf(token) }
      const expiry = expiresAt === undefined ? {} : { expiresAt }
      const stored: StoredToken = { name, kind, ...secret, scope, createdAt: now(), ...expiry }
      await store.tokens.insert(stored)
      return { token, stored }
    },
    async rotate(name) {
      const before = await store.tokens.findByName(name)
      const token = createToken(before?.kind ?? 'agent', randomBytes)
      const secret = { hash: hashToken(token, key), hint: hintOf(token) }
      if (before === undefined || !(await store.tokens.rotate(name, secret)))
        throw new HintgateError('token_unknown', { name })
      checkNext()
      const { lastUsedAt: _, ...kept } = before
      return { token, stored: { ...kept, ...secret } }
    },
    async revoke(name) {
      if (!(await store.tokens.revoke(name, now()))) throw new HintgateError('token_unknown', { name })
      checkNext()
    },
    async authenticate(token) {
      forgetIfChanged()
      const found = cache.get(token) ?? (await lookUp(token))
      if (!isRefusal(found) && found.scope.console !== undefined) return { code: 'unknown' }
      const answer = isRefusal(found) ? found : refuseExpired(found)
      if (!isRefusal(answer)) touch(answer)
      return answer
    },
    async authenticateSession(token) {
      if (!isWellFormed(token)) return { code: 'malformed' }
      const found = await find(hashToken(token, key))
      if (isRefusal(found)) return found
      return found.scope.console?.kind === 'session' ? refuseExpired(found) : { code: 'unknown' }
    },
    recall(token) {
      forgetIfChanged()
      const found = cache.get(token)
      if (found === undefined || isRefusal(refuseExpired(found))) return undefined
      touch(found)
      return found
    },
    async recheck({ credential }) {
      const found = await find(credential)
      return isRefusal(found) ? found : refuseExpired(found)
    },
    isAsBefore(principal) {
      forgetIfChanged()
      return admitted.has(principal) && !hasExpired(principal, now())
    },
    configure(config) {
      configured.replace(config.agentTokens ?? [])
      // Principals from an issuer stay accepted unless the issuers' settings changed.
      if (JSON.stringify(config.oauth) !== JSON.stringify(oauth)) issuers = createForeign(config)
      oauth = config.oauth
      generation += 1
      forgetAll()
    },
  }
}

/**
 * Returns a session's current scope. A session that came from an issuer has the role that the config grants now, not
 * the one at sign-in.
 */
function scopeNow(scope: Scope, oauth: OAuthConfig | undefined): Scope | undefined {
  const vouched = scope.console?.vouched
  if (vouched === undefined) return scope
  const known = mapVouched(vouched, oauth)
  if (known === undefined) return undefined
  return { ...scope, role: known.role, console: { kind: 'session', person: known.person } }
}

function toPrincipal({ name: own, kind, scope, hash, expiresAt }: StoredToken): Principal {
  const expiry = expiresAt === undefined ? {} : { expiresAt }
  // A session belongs to a person. Its row's name does not matter.
  const name = scope.console?.person ?? own
  return { id: `${kind}:${name}`, name, kind, scope, credential: hash, ...expiry }
}

import { randomBytes as cryptoRandomBytes } from 'node:crypto'
import type { AgentTokenConfig } from '../config/config.ts'
import { HintgateError } from '../errors.ts'
import type { Store, StoredToken } from '../store/store.ts'
import { createConfiguredTokens } from './configured-tokens.ts'
import type { Principal, Scope } from './scope.ts'
import { createToken, hashToken, hintOf, isTokenName, isWellFormed, type TokenKind } from './token-format.ts'

export interface Refusal {
  readonly code: 'malformed' | 'unknown' | 'revoked' | 'expired'
}

export interface Minted {
  /** Shown once; nobody can find it again. */
  readonly token: string
  readonly stored: StoredToken
}

interface MintOptions {
  readonly expiresAt?: number | undefined
  readonly kind?: TokenKind | undefined
}

export interface Tokens {
  mint(name: string, scope: Scope, options?: MintOptions): Promise<Minted>
  /** A new secret for an old name; the old secret stops working at once. */
  rotate(name: string): Promise<Minted>
  revoke(name: string): Promise<void>
  authenticate(token: string): Promise<Principal | Refusal>
  /** The same without waiting, for a token that was seen before; undefined says nothing about it. */
  recall(token: string): Principal | undefined
  /** Whether the credential behind a principal still counts, for streams that stay open. */
  recheck(principal: Principal): Promise<Principal | Refusal>
  /** Takes over the `agent_tokens` of a new config. */
  configure(agentTokens: readonly AgentTokenConfig[]): void
}

export interface TokensOptions {
  readonly store: Store
  readonly key: Buffer
  readonly now?: () => number
  readonly randomBytes?: (size: number) => Buffer
  readonly agentTokens?: readonly AgentTokenConfig[]
  /** Asking the database on every request costs; a few milliseconds are still at once for anybody who revokes. */
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
  /** token → principal. Good only for `cachedAt`, the version of the store that it was read from. */
  const cache = new Map<string, Principal>()
  const touchedAt = new Map<string, number>()
  let cachedAt = store.version()
  let generation = 0
  let checkedAt = Number.NEGATIVE_INFINITY

  function refuseExpired(principal: Principal): Principal | Refusal {
    const { expiresAt } = principal
    return expiresAt !== undefined && expiresAt <= now() ? { code: 'expired' } : principal
  }

  async function find(hash: string): Promise<Principal | Refusal> {
    const fromConfig = configured.findByHash(hash)
    if (fromConfig !== undefined) return fromConfig
    const stored = await store.tokens.findByHash(hash)
    if (stored === undefined) return { code: 'unknown' }
    if (stored.revokedAt !== undefined) return { code: 'revoked' }
    return configured.applyScope(toPrincipal(stored))
  }

  function forgetIfChanged(): void {
    const at = performance.now()
    if (at - checkedAt < checkEveryMs) return
    checkedAt = at
    const version = store.version()
    if (version !== cachedAt) cache.clear()
    cachedAt = version
  }

  function touch({ id, name, credential }: Principal): void {
    const at = now()
    if (at - (touchedAt.get(id) ?? 0) < TOUCH_EVERY_MS) return
    touchedAt.set(id, at)
    // A secret in the config has no row; a stored token of that name is another one.
    if (configured.findByHash(credential) !== undefined) return
    // Best effort: a call must not fail because this did.
    store.tokens.touch(name, at).catch(() => {})
  }

  async function lookUp(token: string): Promise<Principal | Refusal> {
    const before = { version: cachedAt, generation }
    const hash = hashToken(token, key)
    if (!isWellFormed(token) && configured.findByHash(hash) === undefined) return { code: 'malformed' }
    const found = await find(hash)
    // Something may have been revoked or configured anew while we were reading.
    if (isRefusal(found) || store.version() !== before.version || generation !== before.generation)
      return found
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(token, found)
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
      const { lastUsedAt: _, ...kept } = before
      return { token, stored: { ...kept, ...secret } }
    },
    async revoke(name) {
      if (!(await store.tokens.revoke(name, now()))) throw new HintgateError('token_unknown', { name })
    },
    async authenticate(token) {
      forgetIfChanged()
      const found = cache.get(token) ?? (await lookUp(token))
      const answer = isRefusal(found) ? found : refuseExpired(found)
      if (!isRefusal(answer)) touch(answer)
      return answer
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
    configure(agentTokens) {
      configured.replace(agentTokens)
      generation += 1
      cache.clear()
    },
  }
}

function toPrincipal({ name, kind, scope, hash, expiresAt }: StoredToken): Principal {
  const expiry = expiresAt === undefined ? {} : { expiresAt }
  return { id: `${kind}:${name}`, name, kind, scope, credential: hash, ...expiry }
}

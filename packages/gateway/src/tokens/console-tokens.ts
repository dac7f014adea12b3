import { randomBytes as cryptoRandomBytes } from 'node:crypto'
import { HintgateError, hasCode } from '../base/errors.ts'
import type { Role } from '../scope/role.ts'
import type { ConsoleUse, Vouched } from '../scope/scope.ts'
import type { Store, StoredToken } from '../store/store.ts'
import { createToken, hashToken, hintOf, isWellFormed } from './token-format.ts'

export interface ConsoleTokensDeps {
  readonly store: Store
  readonly key: Buffer
  readonly now?: () => number
  readonly randomBytes?: (size: number) => Buffer
}

export interface SignedIn {
  readonly session: string
  readonly person: string
  readonly role: Role
  readonly expiresAt: number
}

const CODE_MS = 10 * 60_000
const SESSION_MS = 12 * 60 * 60_000
/** How long a row is left unused before it is reused. Any process that has read the row is done with it long before. */
const REST_MS = 10 * 60_000

/** Sign-in to the console: a code that works once and is exchanged for a session. */
export class ConsoleTokens {
  readonly #store: Store
  readonly #key: Buffer
  readonly #now: () => number
  readonly #randomBytes: (size: number) => Buffer

  constructor({ store, key, now = Date.now, randomBytes = cryptoRandomBytes }: ConsoleTokensDeps) {
    this.#store = store
    this.#key = key
    this.#now = now
    this.#randomBytes = randomBytes
  }

  async createCode(person: string, role: Role, vouched?: Vouched): Promise<string> {
    const use = { kind: 'code', person, ...(vouched && { vouched }) } as const
    return (await this.#mint(use, role, this.#now() + CODE_MS)).token
  }

  /**
   * Exchanges a code for a session. Undefined if the code is not valid. Of several concurrent attempts, only one
   * succeeds.
   */
  async exchange(code: string): Promise<SignedIn | undefined> {
    if (!isWellFormed(code)) return undefined
    const hash = hashToken(code, this.#key)
    const found = await this.#store.tokens.findByHash(hash)
    const use = found?.scope.console
    if (found === undefined || use?.kind !== 'code' || wasOver(found, this.#now())) return undefined
    if (!(await this.#store.tokens.revokeHash(hash, this.#now()))) return undefined
    const { person } = use
    const role = found.scope.role ?? 'viewer'
    const expiresAt = this.#now() + SESSION_MS
    const { token } = await this.#mint({ ...use, kind: 'session' }, role, expiresAt)
    return { session: token, person, role, expiresAt }
  }

  /** Ends the console session with this credential. Does nothing for other kinds of credentials. */
  async endSession(credential: string): Promise<void> {
    const found = await this.#store.tokens.findByHash(credential)
    if (found?.scope.console?.kind === 'session') await this.#store.tokens.revokeHash(credential, this.#now())
  }

  async #mint(use: ConsoleUse, role: Role, expiresAt: number): Promise<{ readonly token: string }> {
    const token = createToken('person', this.#randomBytes)
    const stored = {
      kind: 'person',
      hash: hashToken(token, this.#key),
      hint: hintOf(token),
      scope: { permissions: [], servers: [], role, console: use },
      createdAt: this.#now(),
      expiresAt,
    } as const
    const old = await this.#findOver()
    if (old === undefined || !(await this.#insert({ ...stored, name: old })))
      await this.#store.tokens.insert({ ...stored, name: `console.${this.#randomBytes(12).toString('hex')}` })
    return { token }
  }

  /**
   * Finds an expired row to reuse. Rows are never deleted, so the table would grow otherwise. A row is reused only
   * after a delay, because a gateway of an older version revokes by the row's name and would end the new session.
   */
  async #findOver(): Promise<string | undefined> {
    const all = await this.#store.tokens.list()
    const before = this.#now() - REST_MS
    const over = all.find(token => token.scope.console !== undefined && wasOver(token, before))
    if (over === undefined) return undefined
    if (over.revokedAt === undefined) await this.#store.tokens.revokeHash(over.hash, this.#now())
    return over.name
  }

  /** Inserts a row. False if another process was faster. */
  async #insert(token: StoredToken): Promise<boolean> {
    try {
      await this.#store.tokens.insert(token)
      return true
    } catch (error) {
      if (error instanceof HintgateError && hasCode(error, 'name_taken')) return false
      throw error
    }
  }
}

function wasOver({ revokedAt, expiresAt }: StoredToken, at: number): boolean {
  return (revokedAt ?? Infinity) <= at || (expiresAt ?? Infinity) <= at
}

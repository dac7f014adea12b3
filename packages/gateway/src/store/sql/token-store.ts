import type { Kysely } from 'kysely'
import { HintgateError } from '../../base/errors.ts'
import type { Scope } from '../../scope/scope.ts'
import type { StoredToken, TokenStore } from '../store.ts'
import type { Tables, TokenRow } from './schema.ts'

/** Every change is one statement, so that of two who race exactly one wins. */
export function createTokenStore(db: Kysely<Tables>, note: () => void | Promise<void>): TokenStore {
  const live = () => db.updateTable('tokens').where('revoked_at', 'is', null)
  const changed = async (result: { readonly numUpdatedRows: bigint }): Promise<boolean> => {
    if (result.numUpdatedRows === 0n) return false
    await note()
    return true
  }

  return {
    async insert(token) {
      const row = toRow(token)
      const result = await db
        .insertInto('tokens')
        .values(row)
        .onConflict(conflict =>
          conflict.column('name').doUpdateSet(row).where('tokens.revoked_at', 'is not', null),
        )
        .executeTakeFirst()
      if (!result.numInsertedOrUpdatedRows) throw new HintgateError('name_taken', { name: token.name })
      await note()
    },
    async findByHash(hash) {
      return toToken(await db.selectFrom('tokens').selectAll().where('hash', '=', hash).executeTakeFirst())
    },
    async findByName(name) {
      return toToken(await db.selectFrom('tokens').selectAll().where('name', '=', name).executeTakeFirst())
    },
    async list() {
      const rows = await db.selectFrom('tokens').selectAll().orderBy('name').execute()
      return rows.map(row => toToken(row))
    },
    async revoke(name, at) {
      return changed(await live().set({ revoked_at: at }).where('name', '=', name).executeTakeFirst())
    },
    async revokeHash(hash, at) {
      return changed(await live().set({ revoked_at: at }).where('hash', '=', hash).executeTakeFirst())
    },
    async rotate(name, { hash, hint }) {
      const secret = { hash, hint, last_used_at: null }
      return changed(await live().set(secret).where('name', '=', name).executeTakeFirst())
    },
    async touch(name, at) {
      // Not a change that anybody needs to be told of.
      await live().set({ last_used_at: at }).where('name', '=', name).executeTakeFirst()
    },
  }
}

function toRow(token: StoredToken): TokenRow {
  return {
    name: token.name,
    kind: token.kind,
    hash: token.hash,
    hint: token.hint,
    scope: JSON.stringify(token.scope),
    created_at: token.createdAt,
    expires_at: token.expiresAt ?? null,
    revoked_at: token.revokedAt ?? null,
    last_used_at: token.lastUsedAt ?? null,
  }
}

function toToken(row: TokenRow): StoredToken
function toToken(row: TokenRow | undefined): StoredToken | undefined
function toToken(row: TokenRow | undefined): StoredToken | undefined {
  if (row === undefined) return undefined
  return {
    name: row.name,
    kind: row.kind,
    hash: row.hash,
    hint: row.hint,
    scope: JSON.parse(row.scope) as Scope,
    createdAt: row.created_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
  }
}

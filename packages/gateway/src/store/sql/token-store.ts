import { HintgateError } from '../../base/errors.ts'
import type { Scope } from '../../scope/scope.ts'
import type { StoredToken, TokenStore } from '../store.ts'
import type { SqlDatabase } from './database.ts'
import { fromRow, type Tables } from './schema.ts'

type TokenRow = Tables['tokens']

/** Every change is one statement, so that of two who race exactly one wins. */
export function createTokenStore({ db, note }: SqlDatabase): TokenStore {
  const live = () => db.updateTable('tokens').where('revoked_at', 'is', null)
  const changed = async (result: { readonly numUpdatedRows: bigint }): Promise<boolean> => {
    if (result.numUpdatedRows === 0n) return false
    await note()
    return true
  }

  async function find(column: 'hash' | 'name', value: string): Promise<StoredToken | undefined> {
    const row = await db.selectFrom('tokens').selectAll().where(column, '=', value).executeTakeFirst()
    return row === undefined ? undefined : toToken(row)
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
    findByHash: hash => find('hash', hash),
    findByName: name => find('name', name),
    async list() {
      const rows = await db.selectFrom('tokens').selectAll().orderBy('name').execute()
      return rows.map(toToken)
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

function toRow({ scope, createdAt, expiresAt, revokedAt, lastUsedAt, ...same }: StoredToken): TokenRow {
  return {
    ...same,
    scope: JSON.stringify(scope),
    created_at: createdAt,
    expires_at: expiresAt ?? null,
    revoked_at: revokedAt ?? null,
    last_used_at: lastUsedAt ?? null,
  }
}

function toToken({ scope, ...row }: TokenRow): StoredToken {
  return { ...fromRow<Omit<StoredToken, 'scope'>>(row), scope: JSON.parse(scope) as Scope }
}

import { HintgateError } from '../../base/errors.ts'
import type { Scope } from '../../scope/scope.ts'
import type { StoredToken, TokenStore } from '../store.ts'
import { noteIfChanged, type SqlDatabase } from './database.ts'
import { fromRow, type Tables } from './schema.ts'

type TokenRow = Tables['tokens']

/** Each change is a single statement, so only one of two concurrent changes succeeds. */
export function createTokenStore({ db, note }: SqlDatabase): TokenStore {
  const live = () => db.updateTable('tokens').where('revoked_at', 'is', null)
  const change = async (
    which: { readonly name: string } | { readonly hash: string },
    to: Partial<TokenRow>,
  ): Promise<boolean> => {
    const result = await live()
      .where(eb => eb.and(which))
      .set(to)
      .executeTakeFirst()
    return noteIfChanged(result.numUpdatedRows, note)
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
    revoke: (name, at) => change({ name }, { revoked_at: at }),
    revokeHash: (hash, at) => change({ hash }, { revoked_at: at }),
    rotate: (name, { hash, hint }) => change({ name }, { hash, hint, last_used_at: null }),
    async touch(name, at) {
      // A token's last use does not notify other processes.
      await live().set({ last_used_at: at }).where('name', '=', name).executeTakeFirst()
    },
    async noteUse(name, at) {
      // An earlier time never replaces a later one, since replicas can write out of order.
      await db
        .insertInto('token_uses')
        .values({ name, used_at: at })
        .onConflict(conflict =>
          conflict.column('name').doUpdateSet({ used_at: at }).where('token_uses.used_at', '<', at),
        )
        .executeTakeFirst()
    },
    async listUses() {
      const rows = await db.selectFrom('token_uses').selectAll().execute()
      return new Map(rows.map(({ name, used_at }) => [name, used_at]))
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

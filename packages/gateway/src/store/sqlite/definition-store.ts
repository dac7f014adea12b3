import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Kysely } from 'kysely'
import { forgetDefinitions } from '../sql/forget-definitions.ts'
import { joinDefinitions } from '../sql/join-definitions.ts'
import type { Tables } from '../sql/schema.ts'
import type { DefinitionReview, DefinitionStore, SeenDefinition } from '../store.ts'
import { translateError } from './sqlite-errors.ts'
import { inTransaction } from './transaction.ts'

interface DefinitionStoreDeps {
  readonly database: DatabaseSyncInstance
  readonly db: Kysely<Tables>
  readonly file: string
  readonly note: () => void
}

export function createDefinitionStore({ database, db, file, note }: DefinitionStoreDeps): DefinitionStore {
  const write = prepareSee(database)
  const reviewOne = prepareReview(database)
  return {
    async load(server, only) {
      let rows = db.selectFrom('definitions').selectAll().where('server', '=', server)
      let versions = db.selectFrom('definition_versions').selectAll().where('server', '=', server)
      if (only !== undefined) {
        rows = rows.where('kind', '=', only.kind).where('name', '=', only.name)
        versions = versions.where('kind', '=', only.kind).where('name', '=', only.name)
      }
      return joinDefinitions(await rows.execute(), await versions.execute())
    },
    async loadReviewed(server) {
      const rows = db.selectFrom('definitions').selectAll().where('server', '=', server)
      const versions = db.selectFrom('definition_versions').selectAll().where('server', '=', server)
      return joinDefinitions(await rows.execute(), await versions.where('verdict', 'is not', null).execute())
    },
    async servers() {
      const rows = await db.selectFrom('definitions').select('server').distinct().orderBy('server').execute()
      return rows.map(({ server }) => server)
    },
    async see(server, { kinds, definitions }, at) {
      try {
        inTransaction(database, () => {
          for (const kind of kinds) write.forgetCurrent(server, kind)
          for (const seen of definitions) write.see(server, seen, at)
        })
        await forgetDefinitions(db, server, '')
      } catch (error) {
        throw translateError(error, file)
      }
    },
    async review(key, fingerprint, review) {
      const [refused] = reviewAll([{ ...key, fingerprint, review }])
      return refused === undefined
    },
    reviewAll: async reviews => reviewAll(reviews),
    async disable({ server, kind, name }, isDisabled) {
      const result = await db
        .updateTable('definitions')
        .set({ is_disabled: isDisabled ? 1 : 0 })
        .where('server', '=', server)
        .where('kind', '=', kind)
        .where('name', '=', name)
        .executeTakeFirst()
      return changed(result)
    },
  }

  /** One commit for all: whoever follows the store judges anew once, and not once for each. */
  function reviewAll(reviews: readonly DefinitionReview[]): readonly DefinitionReview[] {
    try {
      const refused = inTransaction(database, () => reviews.filter(review => !reviewOne(review)))
      if (refused.length < reviews.length) note()
      return refused
    } catch (error) {
      throw translateError(error, file)
    }
  }

  function changed({ numUpdatedRows }: { readonly numUpdatedRows: bigint }): boolean {
    if (numUpdatedRows === 0n) return false
    note()
    return true
  }
}

/** False unless this is the version that the server sent last. */
function prepareReview(database: DatabaseSyncInstance): (review: DefinitionReview) => boolean {
  const update = database.prepare(
    `update definition_versions set verdict = ?5, reviewed_by = ?6, reviewed_at = ?7, note = ?8
     where server = ?1 and kind = ?2 and name = ?3 and fingerprint = ?4 and fingerprint =
       (select current from definitions where server = ?1 and kind = ?2 and name = ?3)`,
  )
  return ({ server, kind, name, fingerprint, review }) => {
    const { verdict, by, at, note = null } = review
    return update.run(server, kind, name, fingerprint, verdict, by, at, note).changes > 0
  }
}

function prepareSee(database: DatabaseSyncInstance) {
  const forget = database.prepare('update definitions set current = null where server = ? and kind = ?')
  const current = database.prepare(
    `insert into definitions (server, kind, name, current) values (?, ?, ?, ?)
     on conflict do update set current = excluded.current`,
  )
  const version = database.prepare(
    `insert into definition_versions (server, kind, name, fingerprint, definition, first_seen_at, last_seen_at)
     values (?, ?, ?, ?, ?, ?, ?) on conflict do update set last_seen_at = excluded.last_seen_at`,
  )
  const review = database.prepare(
    `update definition_versions set verdict = ?, reviewed_by = ?, reviewed_at = ?, note = ?
     where server = ? and kind = ? and name = ? and fingerprint = ? and verdict is null`,
  )
  return {
    forgetCurrent: (server: string, kind: string) => void forget.run(server, kind),
    see(server: string, { kind, name, fingerprint, definition, review: ruled }: SeenDefinition, at: number) {
      current.run(server, kind, name, fingerprint)
      version.run(server, kind, name, fingerprint, definition, at, at)
      if (ruled === undefined) return
      const { verdict, by, at: reviewedAt, note = null } = ruled
      review.run(verdict, by, reviewedAt, note, server, kind, name, fingerprint)
    },
  }
}

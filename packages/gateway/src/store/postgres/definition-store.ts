import type { Kysely } from 'kysely'
import { forgetDefinitions } from '../sql/forget-definitions.ts'
import { joinDefinitions } from '../sql/join-definitions.ts'
import type { Tables } from '../sql/schema.ts'
import type { DefinitionReview, DefinitionStore } from '../store.ts'
import { writeReviews, writeSeen } from './definition-writes.ts'
import { inTransaction, lockServers } from './locks.ts'
import { withNul, withoutNul } from './nul.ts'

export function createDefinitionStore(db: Kysely<Tables>, note: () => Promise<void>): DefinitionStore {
  return {
    async load(server, only) {
      let rows = db.selectFrom('definitions').selectAll().where('server', '=', server)
      let versions = db.selectFrom('definition_versions').selectAll().where('server', '=', server)
      if (only !== undefined) {
        const name = withoutNul(only.name)
        rows = rows.where('kind', '=', only.kind).where('name', '=', name)
        versions = versions.where('kind', '=', only.kind).where('name', '=', name)
      }
      return joinDefinitions((await rows.execute()).map(named), (await versions.execute()).map(named))
    },
    async loadReviewed(server) {
      const rows = db.selectFrom('definitions').selectAll().where('server', '=', server)
      const versions = db
        .selectFrom('definition_versions')
        .selectAll()
        .where('server', '=', server)
        .where('verdict', 'is not', null)
      return joinDefinitions((await rows.execute()).map(named), (await versions.execute()).map(named))
    },
    async servers() {
      const rows = await db.selectFrom('definitions').select('server').distinct().orderBy('server').execute()
      return rows.map(({ server }) => server)
    },
    async see(server, seen, at) {
      // Replicas see the same server at the same time.
      await inTransaction(db, [lockServers([server])], async transaction => {
        await writeSeen(transaction, { server, at, ...seen })
        await forgetDefinitions(transaction, server, 'hintgate.')
      })
    },
    async review(key, fingerprint, review) {
      const [refused] = await reviewAll([{ ...key, fingerprint, review }])
      return refused === undefined
    },
    reviewAll,
    async disable({ server, kind, name }, isDisabled) {
      const result = await db
        .updateTable('definitions')
        .set({ is_disabled: isDisabled ? 1 : 0 })
        .where('server', '=', server)
        .where('kind', '=', kind)
        .where('name', '=', withoutNul(name))
        .executeTakeFirst()
      if (result.numUpdatedRows === 0n) return false
      await note()
      return true
    },
  }

  /** One commit for all: whoever follows the store judges anew once, and not once for each. */
  async function reviewAll(reviews: readonly DefinitionReview[]): Promise<readonly DefinitionReview[]> {
    if (reviews.length === 0) return []
    const locks = [lockServers(reviews.map(({ server }) => server))]
    const refused = await inTransaction(db, locks, transaction => writeReviews(transaction, reviews))
    if (refused.length < reviews.length) await note()
    return refused
  }
}

function named<T extends { readonly name: string }>(row: T): T {
  return { ...row, name: withNul(row.name) }
}

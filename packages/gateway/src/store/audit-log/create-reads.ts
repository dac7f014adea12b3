import type { Kysely } from 'kysely'
import type { AuditStore } from '../audit-store.ts'
import type { Tables } from '../sql/schema.ts'
import { checkLog } from './check-log.ts'
import { queryCalls } from './query-calls.ts'
import { endOf, type Horizon, readLog } from './read-log.ts'
import { findOpen, findRows, readWriter } from './read-rows.ts'
import { toWriter } from './to-writer.ts'

type Reads = Pick<AuditStore, 'writers' | 'query' | 'open' | 'find' | 'read' | 'check' | 'end' | 'readWriter'>

/** What every database answers in the same way. */
export function createReads(db: Kysely<Tables>, horizon: Horizon): Reads {
  return {
    async writers(which) {
      const all = db.selectFrom('audit_writers').selectAll().orderBy('id')
      const rows = await (which === undefined ? all : all.where('closed_at', 'is', null)).execute()
      return rows.map(toWriter)
    },
    query: request => queryCalls(db, request),
    open: writer => findOpen(db, writer),
    find: request => findRows(db, [request]),
    read: (after, limit) => readLog(db, { after, limit, horizon }),
    check: (after, limit) => checkLog(db, { after, limit, horizon }),
    end: async () => endOf(db, await horizon.find()),
    readWriter: (writer, after, limit) => readWriter(db, { writer, after, limit }),
  }
}

import type { Kysely } from 'kysely'
import type { AuditStore } from '../audit-store.ts'
import { toAuditRow, toWriter } from '../sqlite/audit-rows.ts'
import type { AuditRowRow, Tables } from '../sqlite/schema.ts'
import { appendRows, closeWriter, registerWriter, sealRows } from './audit-appender.ts'
import { AuditHorizon } from './audit-horizon.ts'
import { queryCalls } from './audit-query.ts'
import { sql } from './kysely.ts'

export function createAuditStore(db: Kysely<Tables>): AuditStore {
  const horizon = new AuditHorizon(db)
  const rows = () => db.selectFrom('audit_rows').selectAll()

  async function readAfter(id: number, limit: number): Promise<readonly AuditRowRow[]> {
    const next = rows().where('id', '>', id).orderBy('id').limit(limit)
    const found = await next.execute()
    const last = found.at(-1)
    if (last === undefined || horizon.covers(last.id)) return found
    return next.where('id', '<=', await horizon.find()).execute()
  }

  return {
    register: writer => registerWriter(db, writer),
    append: batch => appendRows(db, batch),
    closeWriter: (id, at) => closeWriter(db, id, at),
    seal: (id, after, seal) => sealRows(db, { id, after, seal }),
    async writers(which) {
      const all = db.selectFrom('audit_writers').selectAll().orderBy('id')
      const found = await (which === undefined ? all : all.where('closed_at', 'is', null)).execute()
      return found.map(toWriter)
    },
    query: request => queryCalls(db, request),
    async open(writer) {
      return (await findOpen(db, writer)).map(toAuditRow)
    },
    async find(request) {
      return (await rows().where('request', '=', request).orderBy('id').execute()).map(toAuditRow)
    },
    async read(after, limit) {
      const found = await readAfter(Number(after ?? 0), limit)
      return { rows: found.map(toAuditRow), cursor: String(found.at(-1)?.id ?? after ?? 0) }
    },
    end: async () => String(await horizon.find()),
    async readWriter(id, after, limit) {
      const chain = rows().where('writer', '=', id).where('seq', '>', after)
      return (await chain.orderBy('seq').limit(limit).execute()).map(toAuditRow)
    },
  }
}

async function findOpen(db: Kysely<Tables>, writer: number | undefined): Promise<readonly AuditRowRow[]> {
  const whose = writer === undefined ? sql`writers.closed_at is null` : sql`writers.id = ${writer}`
  const { rows } = await sql<AuditRowRow>`
    select rows.* from hintgate.audit_writers as writers
      join hintgate.audit_rows as rows on rows.writer = writers.id and rows.seq >= writers.open_from
    where rows.kind = 'intent' and ${whose} and not exists (
      select 1 from hintgate.audit_rows as ends
      where ends.request = rows.request and ends.kind <> 'intent' and ends.id > rows.id)
    order by rows.at, rows.id`.execute(db)
  return rows
}

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Kysely } from 'kysely'
import type { AuditStore } from '../audit-store.ts'
import { createAppender } from './audit-appender.ts'
import { PatientCommits } from './audit-commit.ts'
import { queryCalls } from './audit-query.ts'
import { PACKED, type Packed, toWriter, unpack } from './audit-rows.ts'
import type { Tables } from './schema.ts'
import { translateError } from './sqlite-errors.ts'

interface AuditStoreDeps {
  readonly database: DatabaseSyncInstance
  readonly db: Kysely<Tables>
  readonly file: string
}

export interface SqliteAuditStore extends AuditStore {
  close(): Promise<void>
}

export function createAuditStore({ database, db, file }: AuditStoreDeps): SqliteAuditStore {
  const appender = createAppender(database)
  const commits = new PatientCommits(database, file)
  const reads = prepareReads(database)

  async function write<T>(work: () => T): Promise<T> {
    try {
      return await commits.run(work)
    } catch (error) {
      throw translateError(error, file)
    }
  }

  function coded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw translateError(error, file)
    }
  }

  /** Where everything was pruned, numbers begin anew, below those of who reads on. */
  function readAfter(id: number, limit: number): readonly Packed[] {
    const rows = reads.after(id, limit)
    return rows.length === 0 && id > reads.end() ? reads.after(0, limit) : rows
  }

  return {
    register: writer => write(() => appender.register(writer)),
    append: batch => write(() => appender.append(batch)),
    closeWriter: (id, at) => write(() => appender.closeWriter(id, at)),
    seal: (id, after, seal) => write(() => appender.seal(id, after, seal)),
    async writers(which) {
      const all = db.selectFrom('audit_writers').selectAll().orderBy('id')
      const rows = await (which === undefined ? all : all.where('closed_at', 'is', null)).execute()
      return rows.map(toWriter)
    },
    query: request => queryCalls(db, request),
    open: async writer => coded(() => reads.open(writer)),
    find: async request => coded(() => reads.find(request)),
    async read(after, limit) {
      const rows = coded(() => readAfter(Number(after ?? 0), limit))
      return { rows: rows.map(unpack), cursor: String(rows.at(-1)?.[0] ?? after ?? 0) }
    },
    end: async () => coded(() => String(reads.end())),
    readWriter: async (id, after, limit) => coded(() => reads.ofWriter(id, after, limit)),
    close: () => commits.close(),
  }
}

function prepareReads(database: DatabaseSyncInstance) {
  const prepare = (rest: string) => {
    const statement = database.prepare(`select ${PACKED} from ${rest}`)
    statement.setReturnArrays(true)
    return (...values: (number | string | null)[]) => statement.all(...values) as unknown as Packed[]
  }
  const open = prepare(
    // CROSS keeps the order: from the few writers to the end of their chains, not through all rows.
    `audit_writers as writers cross join audit_rows as rows on rows.writer = writers.id and rows.seq >= writers.open_from
     where rows.kind = 'intent' and iif(?1 is null, writers.closed_at is null, writers.id = ?1)
       and not exists (select 1 from audit_rows as ends where ends.request = rows.request and ends.kind <> 'intent'
         and ends.id > rows.id)
     order by rows.at, rows.id`,
  )
  const find = prepare('audit_rows as rows where request = ? order by id')
  const after = prepare('audit_rows as rows where id > ? order by id limit ?')
  const ofWriter = prepare('audit_rows as rows where writer = ? and seq > ? order by seq limit ?')
  const end = database.prepare('select coalesce(max(id), 0) as id from audit_rows')
  return {
    open: (writer: number | undefined) => open(writer ?? null).map(unpack),
    find: (request: string) => find(request).map(unpack),
    after: (id: number, limit: number): readonly Packed[] => after(id, limit),
    ofWriter: (id: number, seq: number, limit: number) => ofWriter(id, seq, limit).map(unpack),
    end: () => (end.get() as { id: number }).id,
  }
}

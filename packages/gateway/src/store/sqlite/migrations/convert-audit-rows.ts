import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { collectChunks } from '../../audit-log/collect-chunks.ts'
import type { AuditRow } from '../../audit-store.ts'
import { prepareChunks } from '../statements/insert-chunk.ts'

/** Puts the rows of version 5 into chunks, every chain in its order. */
export function convertRows(database: DatabaseSyncInstance): void {
  const insert = prepareChunks(database)
  const next = database.prepare('select * from audit_rows where id > ? order by id limit 1000')
  const chunks = collectChunks()
  for (let after = 0; ; ) {
    const rows = next.all(after) as unknown as (AuditRow & { readonly id: number })[]
    for (const chunk of chunks.add(rows)) insert(chunk)
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
  }
  for (const chunk of chunks.rest()) insert(chunk)
}

import type { Client } from 'pg'
import type { Chunk } from '../../audit-log/chunk.ts'
import { collectChunks } from '../../audit-log/collect-chunks.ts'
import type { AuditRow } from '../../audit-store.ts'
import { writeChunks } from '../statements/write-chunks.ts'

/** Puts the rows of version 5 into chunks, every chain in its order. */
export async function convertRows(client: Client): Promise<void> {
  const insert = async (chunks: readonly Chunk[]): Promise<void> => {
    if (chunks.length > 0)
      await client.query('select hintgate.insert_chunks($1::jsonb, $2)', writeChunks(chunks))
  }
  const chunks = collectChunks()
  for (let after = 0; ; ) {
    const { rows } = await client.query<OldRow>(
      'select * from hintgate.audit_rows where id > $1 order by id limit 1000',
      [after],
    )
    await insert(chunks.add(rows.map(toRow)))
    const last = rows.at(-1)
    if (last === undefined) break
    after = Number(last.id)
  }
  await insert(chunks.rest())
}

type OldRow = Omit<AuditRow, 'writer' | 'seq' | 'at'> &
  Record<'id' | 'writer' | 'seq' | 'at', string | number>

/** The driver leaves it to others whether a large number is a number. */
function toRow(row: OldRow): AuditRow {
  return { ...row, writer: Number(row.writer), seq: Number(row.seq), at: Number(row.at) }
}

import type { Kysely } from 'kysely'
import { createReads } from '../audit-log/create-reads.ts'
import type { AuditStore } from '../audit-store.ts'
import type { Tables } from '../sql/schema.ts'
import { appendRows, closeWriter, registerWriter, sealRows } from './audit-appender.ts'
import { AuditHorizon } from './audit-horizon.ts'

export function createAuditStore(db: Kysely<Tables>): AuditStore {
  return {
    ...createReads(db, new AuditHorizon(db)),
    register: (writer, sealStart) => registerWriter(db, writer, sealStart),
    append: batch => appendRows(db, batch),
    closeWriter: (id, at) => closeWriter(db, id, at),
    seal: (id, after, seal) => sealRows(db, { id, after, seal }),
  }
}

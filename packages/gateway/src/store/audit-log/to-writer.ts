import type { AuditSeal, StoredWriter } from '../audit-store.ts'
import type { AuditWriterRow } from '../sql/schema.ts'

export function toWriter(row: AuditWriterRow): StoredWriter {
  return {
    id: row.id,
    name: row.name,
    startedAt: row.started_at,
    place: row.place,
    pid: row.pid,
    processStart: row.process_start,
    keyId: row.key_id,
    seenAt: row.seen_at,
    ...(row.closed_at === null ? {} : { closedAt: row.closed_at }),
    ...part('head', toSeal(row.head_seq, row.head_hash, row.head_mac)),
    ...part('sealed', toSeal(row.sealed_seq, row.sealed_hash, row.sealed_mac)),
    openFrom: row.open_from,
  }
}

/** The place before the first row can be sealed as well; only what is empty altogether is no seal. */
function toSeal(seq: number, hash: string, mac: string): AuditSeal | undefined {
  return seq === 0 && mac === '' ? undefined : { seq, hash, mac }
}

function part(name: 'head' | 'sealed', seal: AuditSeal | undefined) {
  return seal === undefined ? {} : { [name]: seal }
}

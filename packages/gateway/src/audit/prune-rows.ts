import type { AuditRow, AuditStore, StoredWriter } from '../store/audit-store.ts'
import { hashRow, type Link, START } from './chain.ts'
import type { Sealer } from './sealer.ts'

export interface Pruned {
  readonly rows: number
  /** Chains that are broken in the part to be pruned. They are not pruned, because the seal would hide the damage. */
  readonly broken: readonly { readonly writer: number; readonly seq: number }[]
}

/** Number of rows per transaction. It is small, because writers wait for the transaction. */
const SEGMENT = 2000

/**
 * Deletes the rows of calls that arrived before a given time, and stores seals in their place, so that the rest of
 * every chain can still be verified. Calls that have not ended are kept, with all rows after them.
 */
export async function pruneRows(store: AuditStore, sealer: Sealer, before: number): Promise<Pruned> {
  let rows = 0
  const broken: { writer: number; seq: number }[] = []
  for (const writer of await store.writers()) {
    const pruned = await pruneWriter(writer, { store, sealer, before })
    rows += pruned.rows
    if (pruned.brokenAt !== undefined) broken.push({ writer: writer.id, seq: pruned.brokenAt })
  }
  return { rows, broken }
}

interface PruneDeps {
  readonly store: AuditStore
  readonly sealer: Sealer
  readonly before: number
}

async function pruneWriter(
  writer: StoredWriter,
  { store, sealer, before }: PruneDeps,
): Promise<{ rows: number; brokenAt?: number }> {
  let end: Link = writer.sealed ?? START
  // Other writers have ended the open calls of a closed writer.
  const openFrom = writer.closedAt === undefined ? writer.openFrom : Number.POSITIVE_INFINITY
  for (let rows = 0; ; ) {
    const read = await store.readWriter(writer.id, end.seq, SEGMENT)
    const old = takeOld(read, { before, openFrom })
    const last = old.at(-1)
    if (last === undefined) return { rows }
    const brokenAt = findBreak(writer.name, end, old)
    if (brokenAt !== undefined) return { rows, brokenAt }
    if (!(await store.seal(writer.id, end.seq, sealer.seal('segment', writer, last)))) return { rows }
    rows += old.length
    end = last
    if (old.length < read.length) return { rows }
  }
}

/** Returns the rows to delete, up to the first row to keep, because only the beginning of a chain can be cut off. */
function takeOld(
  rows: readonly AuditRow[],
  { before, openFrom }: { readonly before: number; readonly openFrom: number },
): readonly AuditRow[] {
  const stays = rows.findIndex(({ at, seq }) => at >= before || seq >= openFrom)
  return stays < 0 ? rows : rows.slice(0, stays)
}

function findBreak(writer: string, after: Link, rows: readonly AuditRow[]): number | undefined {
  let end = after
  for (const row of rows) {
    const isWhole = row.seq === end.seq + 1 && row.prev === end.hash && hashRow(writer, row) === row.hash
    if (!isWhole) return row.seq
    end = row
  }
  return undefined
}

import type { Kysely } from 'kysely'
import { sql } from '../sql/kysely.ts'
import type { Tables } from '../sql/schema.ts'
import { inTransaction, lockOf } from './locks.ts'

/**
 * How far the log can be read without missing a row. Ids are given before rows can be seen, so of two that are written
 * at the same time the later may be seen first; whoever went on after it would never see the other.
 */
export class AuditHorizon {
  readonly #db: Kysely<Tables>
  #known = 0

  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  covers(id: number): boolean {
    return id <= this.#known
  }

  /** Waits for those who are writing now, a few milliseconds; everybody else waits meanwhile. */
  async find(): Promise<number> {
    const last = await inTransaction(this.#db, [lockOf('audit')], async transaction => {
      const { rows } = await sql<{ id: number }>`
        select coalesce(max(id), 0) as id from hintgate.audit_chunks`.execute(transaction)
      return rows[0]?.id ?? 0
    })
    this.#known = Math.max(this.#known, last)
    return this.#known
  }
}

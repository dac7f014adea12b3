import type { AuditRow } from '../audit-store.ts'
import { type Chunk, toChunks } from './chunk.ts'
import { MOST_ROWS } from './request-spans.ts'

/** Makes chunks of rows that come in any mixture of chains, each chain in its order. */
export function collectChunks() {
  const waiting = new Map<number, AuditRow[]>()
  return {
    /** Those that are full now. */
    add(rows: readonly AuditRow[]): Chunk[] {
      const full: Chunk[] = []
      for (const row of rows) {
        const chain = waiting.get(row.writer) ?? []
        chain.push(row)
        waiting.set(row.writer, chain)
        if (chain.length < MOST_ROWS) continue
        full.push(...toChunks(chain))
        waiting.delete(row.writer)
      }
      return full
    },
    rest: (): Chunk[] => [...waiting.values()].flatMap(toChunks),
  }
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AuditRow } from '../store/audit-store.ts'
import { hashRow, linkRows, START, writeColumns } from './chain.ts'

describe('the hash of a row', () => {
  it('covers a JSON list of its columns, whatever they contain', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', 'read', '"', '\\', '\u2028'),
    )
    const row = fc.record({
      writer: fc.nat(),
      seq: fc.nat(),
      at: fc.maxSafeInteger(),
      kind: fc.constantFrom('intent', 'outcome', 'call'),
      request: text,
      agent: text,
      server: text,
      tool: text,
      variant: text,
      verdict: text,
      outcome: text,
      code: text,
      body: text,
      prev: text,
    })
    fc.assert(
      fc.property(text, row, (writer, one) => {
        const { seq, prev, at, kind, request, agent, server, tool, variant, verdict, outcome, code } = one
        const columns = [
          1,
          writer,
          seq,
          prev,
          at,
          kind,
          request,
          agent,
          server,
          tool,
          variant,
          verdict,
          outcome,
          code,
        ]
        expect(writeColumns(writer, one)).toBe(JSON.stringify(columns))
      }),
    )
  })

  it('is the same for a row that is written and for the same row when read', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('', 'read', '"', '\\', '\u2028', 'naïve 🦔'))
    const shape = fc.record({
      kind: fc.constantFrom('intent', 'outcome', 'call'),
      agent: text,
      server: text,
      tool: text,
      variant: text,
      verdict: text,
      outcome: text,
      code: text,
      head: text,
    })
    const contents = fc.array(fc.record({ at: fc.nat(), request: text, shape, rest: text }), { minLength: 1 })
    fc.assert(
      fc.property(text, contents, (name, some) => {
        let end = START
        for (const row of linkRows({ id: 1, name }, START, some)) {
          const read: AuditRow = row
          expect([row.seq, row.prev]).toEqual([end.seq + 1, end.hash])
          expect(row.hash).toBe(hashRow(name, read))
          end = row
        }
      }),
    )
  })
})

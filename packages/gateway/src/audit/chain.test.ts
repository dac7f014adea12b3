import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeColumns } from './chain.ts'

describe('what a row is hashed by', () => {
  it('is a JSON list of its columns, whatever they are', () => {
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
})

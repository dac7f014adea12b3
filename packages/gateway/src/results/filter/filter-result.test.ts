import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/messages.ts'
import { filterResult, keepFields } from './filter-result.ts'
import { compileQuery, QueryFault } from './query-result.ts'

const plain = { hasWarning: false }
const text = (value: unknown): Json => ({ type: 'text', text: JSON.stringify(value) })

describe('keepFields()', () => {
  it.each<[readonly string[], unknown, unknown]>([
    [['/a'], { a: 1, b: 2 }, { a: 1 }],
    [['/a/b'], { a: { b: 1, c: 2 }, d: 3 }, { a: { b: 1 } }],
    [['/a', '/a/b'], { a: { b: 1, c: 2 } }, { a: { b: 1, c: 2 } }],
    [['/a/b'], { a: [{ b: 1, c: 2 }, { c: 3 }, 4] }, { a: [{ b: 1 }, {}] }],
    [['/a~1b', '/c~0d'], { 'a/b': 1, 'c~d': 2, e: 3 }, { 'a/b': 1, 'c~d': 2 }],
    [['/a'], [{ a: 1, b: 2 }], [{ a: 1 }]],
    [['/constructor', '/__proto__'], { a: 1 }, {}],
    [['/a'], 'text', undefined],
  ])('%j of %j is %j', (pointers, value, expected) => {
    expect(keepFields(pointers)(value)).toEqual(expected)
  })
})

describe('filterResult()', () => {
  const select = keepFields(['/a'])

  it('passes a task, but not its note', () => {
    const task = { resultType: 'task', taskId: 't', status: 'working' }
    expect(filterResult({ ...task, statusMessage: 'b' }, select, plain)).toEqual({
      kind: 'filtered',
      result: task,
    })
  })

  it('filters structured content, and writes it anew as text', () => {
    const result = { content: [{ type: 'text', text: 'secret' }], structuredContent: { a: 1, b: 2 } }
    expect(filterResult(result, select, plain)).toEqual({
      kind: 'filtered',
      result: { content: [text({ a: 1 })], structuredContent: { a: 1 } },
    })
  })

  it('filters each text that is JSON, and drops other blocks', () => {
    const content = [text({ a: 1, b: 2 }), { type: 'image', data: '' }, text([{ a: 2, b: 3 }])]
    expect(filterResult({ content }, select, plain)).toEqual({
      kind: 'filtered',
      result: { content: [text({ a: 1 }), text([{ a: 2 }])] },
    })
  })

  it('does not fit a text that is not JSON, and no text at all', () => {
    for (const content of [
      [{ type: 'text', text: 'plain' }],
      [],
      [text({ a: 1 }), { type: 'text', text: '{' }],
    ])
      expect(filterResult({ content }, select, plain).kind).toBe('unfit')
  })

  it("keeps the gateway's warning and remarks, and no others", () => {
    const warning = { type: 'text', text: 'Careful.' }
    const _meta = { 'io.hintgate/taint': { findings: [] }, 'com.example/x': 1 }
    const result = { content: [warning, text({ a: 1, b: 2 })], _meta }
    expect(filterResult(result, select, { hasWarning: true })).toEqual({
      kind: 'filtered',
      result: { content: [warning, text({ a: 1 })], _meta: { 'io.hintgate/taint': { findings: [] } } },
    })
  })

  it('keeps the texts of a failure and nothing else of it', () => {
    const result = {
      content: [{ type: 'text', text: 'no' }, { type: 'image' }],
      structuredContent: { b: 1 },
      isError: true,
    }
    expect(filterResult(result, select, plain)).toEqual({
      kind: 'filtered',
      result: { content: [{ type: 'text', text: 'no' }], isError: true },
    })
  })

  it('passes a question', () => {
    const result = { resultType: 'input_required', inputRequests: {} }
    expect(filterResult(result, select, plain)).toEqual({ kind: 'filtered', result })
  })
})

describe('compileQuery()', () => {
  it('evaluates an expression', () => {
    expect(compileQuery('items[].{id: id}')({ items: [{ id: 1, x: 2 }] })).toEqual([{ id: 1 }])
  })

  it.each<[string, string, unknown]>([
    ['an expression that does not fit the value', 'sort_by(a, &b)', { a: 1 }],
    ['a value that is too long', 'a', { a: 'x'.repeat(2_000_000) }],
    ['an expression that takes too long', 'a[?length(sort_by($.a, &n)) > `1`]', { a: numbers(4000) }],
    ['an expression that makes a value too long', 'a[].[$, $, $, $]', { a: numbers(4000) }],
  ])('refuses %s', (_, query, value) => {
    expect(() => compileQuery(query)(value)).toThrow(QueryFault)
  })
})

function numbers(count: number): readonly Json[] {
  return Array.from({ length: count }, (_, n) => ({ n }))
}

import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/messages.ts'
import { parseJson, writeJson } from '../../protocol/parse-json.ts'
import { keepPages, pageResult } from '../test-support/page-kept.ts'
import { type Page, type ReadRequest, writeCursor } from './page-result.ts'

const HANDLE = 'res_AAAAAAAAAAAAAAAAAAAAAA'
const OTHER = 'res_BBBBBBBBBBBBBBBBBBBBBB'
const rows = Array.from({ length: 100 }, (_, id) => ({ id, name: `row ${id}` }))
const image = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(900) }
const text = '🦔abc'.repeat(300)
const RESULT = {
  content: [{ type: 'text', text }, image],
  structuredContent: { rows, total: 100 },
  isError: false,
}

const pagesOf = (result: Json, handle = HANDLE) => keepPages(result, 1000, handle)
const read = (request: Omit<ReadRequest, 'handle'>) =>
  pageResult(pagesOf(RESULT), { handle: HANDLE, ...request })

function readPage(request: Omit<ReadRequest, 'handle'>): Page {
  const page = read(request)
  if ('problem' in page) throw new Error(page.text)
  return page
}

describe('a page', () => {
  it('of the outline lists what exists and contains the short values', () => {
    expect(readPage({})).toEqual({
      handle: HANDLE,
      tool: 'crm:export',
      part: '',
      unit: 'members',
      total: 3,
      offset: 0,
      members: { content: [{ type: 'text', text: null }, null], structuredContent: null, isError: false },
      cut: [
        { part: '/content/0/text', unit: 'chars', total: 1500 },
        { part: '/content/1', unit: 'block', total: 1 },
        { part: '/structuredContent', unit: 'members', total: 2 },
      ],
      next: expect.any(String),
    })
  })

  it('of a text continues where the previous one ended', () => {
    const first = readPage({ part: '/content/0/text' })
    expect(first).toMatchObject({ unit: 'chars', total: 1500, offset: 0, text: text.slice(0, 1000) })
    const second = readPage({ cursor: first.next ?? '' })
    expect(second).toMatchObject({ part: '/content/0/text', offset: 1000, text: text.slice(1000) })
  })

  it('of an array has as many items as fit, and one of an image has the whole image', () => {
    expect(readPage({ part: '/structuredContent' })).toMatchObject({
      members: { rows: null, total: 100 },
      cut: [{ part: '/structuredContent/rows', unit: 'items', total: 100 }],
    })
    const { items } = readPage({ part: '/structuredContent/rows' }) as unknown as { items: unknown[] }
    expect(items).toEqual(rows.slice(0, items.length))
    expect(items.length).toBeGreaterThan(30)
    expect(readPage({ part: '/content/1' })).toMatchObject({ unit: 'block', total: 1, block: image })
  })

  it('has at most as many units as requested, and at least one', () => {
    expect(readPage({ part: '/structuredContent/rows', limit: 3 })).toMatchObject({ items: rows.slice(0, 3) })
    expect(readPage({ part: '/content/0/text', limit: 4 })).toMatchObject({ text: '🦔ab' })
    expect(readPage({ part: '/content/0/text', limit: 1 })).toMatchObject({ text: '🦔' })
    expect(readPage({ part: '/structuredContent/rows', limit: 9999 }).next).toBeDefined()
  })

  it('is followed by the next part, unless one part was requested', () => {
    const parts = [readPage({})]
    for (let next = parts[0]?.next; next !== undefined; next = parts.at(-1)?.next)
      parts.push(readPage({ cursor: next }))
    expect([...new Set(parts.map(page => page.part))]).toEqual([
      '',
      '/content/0/text',
      '/structuredContent',
      '/structuredContent/rows',
      '/content/1',
    ])
    const first = readPage({ part: '/content/0/text' })
    expect(readPage({ part: '/content/0/text', cursor: first.next ?? '' })).not.toHaveProperty('next')
  })

  it('has every digit of a long number', () => {
    const digits = '1234567890'.repeat(300)
    const parsed = parseJson(`{"content":[],"n":${digits}}`, 10)
    const pages = pagesOf((parsed.ok ? parsed.value : {}) as Json)
    const page = pageResult(pages, { handle: HANDLE, part: '/n' }) as Page
    expect(page.unit).toBe('block')
    expect(writeJson(page.block)).toBe(digits)
  })
})

describe('a request for a page', () => {
  it('gets an explanation if its cursor belongs to another result', () => {
    const good = readPage({}).next ?? ''
    const ofOther = pageResult(pagesOf(RESULT, OTHER), { handle: OTHER }) as Page
    const wrong = [
      '',
      'x',
      good.toUpperCase(),
      `${good} `,
      good.slice(1),
      `0${good}`,
      ofOther.next ?? '',
      '-1-0-aaaaaa',
    ]
    for (const cursor of wrong)
      expect(read({ cursor }), cursor).toEqual({
        problem: 'cursor',
        text: expect.stringContaining('omit the cursor'),
      })
  })

  it('with a cursor beyond the end is refused, even with a correct checksum', () => {
    const forged = [
      { index: 99, offset: 0 },
      { index: 1, offset: 1500 },
      { index: 4, offset: 1 },
    ].map(position => writeCursor(position, { handle: HANDLE, chars: 1000 }))
    for (const cursor of forged) expect(read({ cursor }), cursor).toMatchObject({ problem: 'cursor' })
  })

  it('with a cursor for another page length must start again', () => {
    const cursor = writeCursor({ index: 1, offset: 5 }, { handle: HANDLE, chars: 2000 })
    expect(read({ cursor })).toMatchObject({ problem: 'cursor' })
  })

  it('for an unknown part gets the known ones', () => {
    const problem = read({ part: '/nothing' })
    expect(problem).toEqual({
      problem: 'part',
      text: expect.stringContaining('"/content/0/text", "/structuredContent"'),
    })
  })

  it("for a part with another part's cursor is refused, because it can have only one of them", () => {
    const cursor = readPage({ part: '/content/0/text' }).next ?? ''
    expect(read({ part: '/structuredContent', cursor })).toMatchObject({ problem: 'part' })
  })
})

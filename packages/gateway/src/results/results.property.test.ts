import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../protocol/messages.ts'
import { parseJson, writeJson } from '../protocol/parse-json.ts'
import type { Page, ReadRequest } from './kept/page-result.ts'
import { META_KEY, splitResult } from './kept/split-result.ts'
import { anyResult } from './test-support/arbitrary-result.ts'
import { type KeptPages, keepPages, pageResult } from './test-support/page-kept.ts'
import { reassemble } from './test-support/reassemble.ts'

const HANDLE = 'res_AAAAAAAAAAAAAAAAAAAAAA'
const pagesOf = (result: Json, chars: number) => keepPages(result, chars, HANDLE)

function readOn(pages: KeptPages, request: Omit<ReadRequest, 'handle'> = {}): Page[] {
  const read: Page[] = []
  let { cursor } = request
  for (;;) {
    const page = pageResult(pages, {
      handle: HANDLE,
      ...request,
      ...(cursor === undefined ? {} : { cursor }),
    })
    if ('problem' in page) throw new Error(page.text)
    read.push(page)
    if (page.next === undefined) return read
    cursor = page.next
  }
}

/** Encodes a result and parses it again, as the store does. */
function stored(result: Json): Json {
  const parsed = parseJson(writeJson(result), 200)
  return (parsed.ok ? parsed.value : {}) as Json
}

// Counterexamples are not shrunk, because that takes minutes for slow cases, and the first one is small enough to read.
fc.configureGlobal({ endOnFailure: true, numRuns: 50 })

const anyChars = fc.integer({ min: 60, max: 3000 })
const anyLimit = fc.option(fc.integer({ min: 3, max: 50 }), { nil: undefined })
const withLimit = (limit: number | undefined) => (limit === undefined ? {} : { limit })

describe('a stored result', () => {
  it('equals the original when read from the first page to the last', () => {
    fc.assert(
      fc.property(anyResult, anyChars, anyLimit, (result, chars, limit) => {
        const read = readOn(pagesOf(stored(result), chars), withLimit(limit))
        expect(writeJson(reassemble(read))).toBe(writeJson(result))
      }),
      { numRuns: 150 },
    )
  })

  it('has the whole of each part on the pages of that part', () => {
    fc.assert(
      fc.property(anyResult, anyChars, anyLimit, (result, chars, limit) => {
        const pages = pagesOf(result, chars)
        const all = pages.pieces.flatMap(({ part }) => readOn(pages, { part, ...withLimit(limit) }))
        expect(writeJson(reassemble(all))).toBe(writeJson(result))
      }),
    )
  })

  it('lists every part in `cut`', () => {
    fc.assert(
      fc.property(anyResult, anyChars, (result, chars) => {
        const read = readOn(pagesOf(result, chars))
        const named = read.flatMap(({ cut = [] }) =>
          cut.map(({ part, unit, total }) => ({ part, unit, total })),
        )
        const parts = new Map(read.map(({ part, unit, total }) => [part, { part, unit, total }]))
        parts.delete('')
        expect(new Set(named.map(writeJson))).toEqual(new Set([...parts.values()].map(writeJson)))
        expect(named).toHaveLength(parts.size)
      }),
    )
  })

  it('has no page that is too long, except for values that cannot be split', () => {
    fc.assert(
      fc.property(anyResult, fc.integer({ min: 300, max: 3000 }), (result, chars) => {
        for (const { unit, text, items, members, cut = [] } of readOn(pagesOf(result, chars))) {
          const run = items ?? members ?? {}
          if (unit !== 'block' && Object.keys(run).length !== 1)
            expect(writeJson([text ?? run, ...cut]).length).toBeLessThanOrEqual(chars + 10)
        }
      }),
    )
  })

  it('is never cut within a surrogate pair', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '🦔'), minLength: 400 }),
        anyLimit,
        (text, limit) => {
          const pages = pagesOf({ content: [{ type: 'text', text }] }, 400)
          expect(pages.pieces).toHaveLength(2)
          for (const page of readOn(pages, withLimit(limit)))
            expect((page.text ?? '').isWellFormed()).toBe(true)
        },
      ),
    )
  })
})

describe('the first part of a result', () => {
  const split = (result: Json, chars: number) =>
    splitResult(result, { chars, total: writeJson(result).length, handle: HANDLE, structured: 'omit' })

  it('is within the limit and a valid tool result', () => {
    fc.assert(
      fc.property(anyResult, fc.integer({ min: 1000, max: 3000 }), (result, chars) => {
        fc.pre(writeJson(result).length > chars)
        const { first } = split(result, chars) ?? {}
        expect(writeJson(first).length).toBeLessThanOrEqual(chars)
        expect(Array.isArray(first?.content)).toBe(true)
        if (typeof result.isError === 'boolean') expect(first?.isError).toBe(result.isError)
      }),
      { numRuns: 150 },
    )
  })

  it('omits nothing that is not on the pages from `next`', () => {
    fc.assert(
      fc.property(anyResult, fc.integer({ min: 1000, max: 3000 }), (result, chars) => {
        fc.pre(writeJson(result).length > chars)
        const { first = {} } = split(result, chars) ?? {}
        const { [META_KEY]: mark, ...meta } = first._meta as Json
        const pages = pagesOf(result, chars)
        const start = pageResult(pages, { handle: HANDLE, cursor: (mark as { next: string }).next })
        if ('problem' in start) throw new Error(start.text)
        const index = pages.pieces.findIndex(piece => piece.part === start.part)
        const before = pages.pieces
          .slice(0, index)
          .filter(({ part }) => !isShown(part, { ...first, _meta: meta }, result))
        expect(before).toEqual([])
        expect(isShownUpTo(start, first, result)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  it('keeps structuredContent if required, and then limits only the rest', () => {
    const rows = Array.from({ length: 1000 }, (_, id) => ({ id }))
    const content = [{ type: 'text', text: 'x'.repeat(5000) }]
    const result = { content, structuredContent: { rows } }
    const options = { chars: 2000, total: 1, handle: HANDLE, structured: 'whole' } as const
    const { first } = splitResult(result, options) ?? {}
    expect(first?.structuredContent).toEqual({ rows })
    expect(writeJson({ ...first, structuredContent: {} }).length).toBeLessThanOrEqual(2000)
    expect(splitResult({ content: [], structuredContent: { rows } }, options)).toBeUndefined()
  })
})

const isShort = (value: unknown) => writeJson(value).length < 200
const keyOf = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~')

/** True if the value of `part` appears in `first`, the first piece of the result. */
function isShown(part: string, first: Json, result: Json): boolean {
  const shown = new Set((first.content as unknown[]).map(writeJson))
  const blocks = Array.isArray(result.content) ? (result.content as unknown[]) : undefined
  const [, top = '', index] = part.split('/')
  if (part === '') {
    const others = Object.entries(result).filter(([key, value]) => key !== 'content' && isShort(value))
    return others.every(([key, value]) => writeJson(first[key]) === writeJson(value))
  }
  if (blocks === undefined || top !== 'content')
    return writeJson(first[keyOf(top)]) === writeJson(result[keyOf(top)])
  if (index === undefined) return blocks.filter(isShort).every(block => shown.has(writeJson(block)))
  return shown.has(writeJson(blocks[Number(index)]))
}

/** True if `first` shows a part at least up to the position where the given page of that part begins. */
function isShownUpTo({ part, unit, offset }: Page, first: Json, result: Json): boolean {
  if (offset === 0) return true
  const blocks = first.content as { text?: unknown; resource?: Json }[]
  if (part === '/content') {
    const shown = new Set(blocks.map(writeJson))
    const before = (result.content as unknown[]).slice(0, offset)
    return before.filter(isShort).every(block => shown.has(writeJson(block)))
  }
  const whole = String(
    part
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Json)[key], result),
  )
  const texts = blocks.map(block => block?.text ?? block?.resource?.text)
  return unit === 'chars' && texts.includes(whole.slice(0, offset))
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SearchIndex, type SearchResult } from './search-index.ts'
import type { SearchDocument } from './weigh-document.ts'

const WORDS =
  'read write file files delete remove mail send calendar list get user-id PDFs YouTube S3 do 文件'.split(' ')
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map(words => words.join(' '))
const servers = fc.constantFrom('alpha', 'beta', 'gamma')

const catalog: fc.Arbitrary<readonly SearchDocument[]> = fc
  .array(
    fc.record({
      server: servers,
      name: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map(words => words.join('_')),
      title: text,
      description: text,
      parameter: fc.constantFrom(...WORDS),
      domains: fc.subarray(['email', 'calendar', 'documents']),
    }),
    { maxLength: 25 },
  )
  .map(rows =>
    rows.map(({ parameter, ...row }, at) => ({
      ...row,
      id: `${row.server}:${row.name}${at}`,
      inputSchema: { properties: { [parameter]: {} } },
      tags: [],
    })),
  )

function ownOf(documents: readonly SearchDocument[], server: string): readonly SearchDocument[] {
  return documents.filter(document => document.server === server)
}

function build(documents: readonly SearchDocument[], order = ['alpha', 'beta', 'gamma']): SearchIndex {
  const index = new SearchIndex()
  for (const server of order) index.replaceServer(server, ownOf(documents, server))
  return index
}

function searchAll(index: SearchIndex, query: string): SearchResult {
  return index.search(query, { limit: 1_000, accept: () => true, domains: ['email'] })
}

describe('for any catalog and query, the index', () => {
  it('ranks independently of the order in which tools were added', () => {
    fc.assert(
      fc.property(catalog, text, (documents, query) => {
        const other = build(documents.toReversed(), ['gamma', 'alpha', 'beta'])
        expect(searchAll(other, query)).toEqual(searchAll(build(documents), query))
      }),
    )
  })

  it('is the same after any updates as when rebuilt', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(servers, catalog), { maxLength: 6 }),
        catalog,
        text,
        (updates, last, query) => {
          const index = new SearchIndex()
          for (const [server, documents] of updates) index.replaceServer(server, ownOf(documents, server))
          for (const server of ['beta', 'gamma', 'alpha']) index.replaceServer(server, ownOf(last, server))
          expect(index.size).toBe(last.length)
          expect(searchAll(index, query)).toEqual(searchAll(build(last), query))
        },
      ),
    )
  })

  it('gives a caller the same results and scores as if hidden tools did not exist', () => {
    const typed = fc.oneof(text, fc.constantFrom('fle', 'calndar', 'delet', 'sendmail', 'user id', 'youtub'))
    fc.assert(
      fc.property(catalog, typed, fc.nat(4), (documents, query, rest) => {
        const isVisible = (id: string): boolean => id.length % 5 !== rest
        const index = build(documents)
        const view = index.createView(isVisible)
        const alone = build(documents.filter(({ id }) => isVisible(id)))
        const options = { limit: 1_000, accept: () => true, domains: ['email'] }
        expect(index.search(query, { ...options, view })).toEqual(alone.search(query, options))
      }),
      { numRuns: 300 },
    )
  })

  it('refuses a view of an earlier state', () => {
    const index = new SearchIndex()
    const view = index.createView(() => true)
    index.replaceServer('alpha', [])
    expect(() => index.search('read', { limit: 1, accept: () => true, view })).toThrow('has changed')
  })

  it('returns only accepted tools, the same as filtering after ranking', () => {
    fc.assert(
      fc.property(catalog, text, fc.nat(8), fc.nat(4), (documents, query, limit, rest) => {
        const index = build(documents)
        const accept = (id: string): boolean => id.length % 5 !== rest
        const { hits, total } = index.search(query, { limit, accept, domains: ['email'] })
        const expected = searchAll(index, query).hits.filter(({ id }) => accept(id))
        expect(hits).toEqual(expected.slice(0, limit))
        expect(total).toBe(expected.length)
      }),
    )
  })

  it('ranks a tool first when the query is its id', () => {
    fc.assert(
      fc.property(catalog, documents => {
        const index = build(documents)
        for (const { id } of documents) expect(searchAll(index, id).hits[0]?.id).toBe(id)
      }),
    )
  })

  it('never throws and gives finite scores for text and schemas of any kind', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 80 })
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: anyText, description: anyText, schema: fc.jsonValue(), label: anyText })),
        anyText,
        (rows, query) => {
          const index = new SearchIndex()
          const documents = rows.map(({ name, description, schema, label }, at) => ({
            id: `s:${at}`,
            server: 's',
            name,
            title: label,
            description,
            inputSchema: schema,
            domains: [label],
            tags: [label],
          }))
          index.replaceServer('s', documents)
          for (const asked of [query, ...rows.map(({ name }) => name)]) {
            const { hits } = index.search(asked, { limit: 5, accept: () => true, explain: true })
            expect(hits.every(({ score }) => Number.isFinite(score))).toBe(true)
          }
        },
      ),
    )
  })
})

describe('hostile sizes', () => {
  const huge = `${'x'.repeat(50)} deleting ${'ab1Cd_é '.repeat(1_250_000)}`
  const cyclic: Record<string, unknown> = { description: huge }
  cyclic.properties = { self: cyclic, [huge]: cyclic }
  const hostile: SearchDocument = {
    id: 'evil:tool',
    server: 'evil',
    name: huge,
    title: huge,
    description: huge,
    inputSchema: cyclic,
    domains: Array.from({ length: 10_000 }, () => huge),
    tags: Array.from({ length: 10_000 }, () => huge),
  }

  it('reads a limited part of a tool of megabytes', () => {
    const index = new SearchIndex()
    const start = process.cpuUsage()
    index.replaceServer('evil', [hostile])
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(5_000)
    expect(index.search('deleting', { limit: 1, accept: () => true }).total).toBe(1)
  })

  it('answers a query of megabytes in limited time', () => {
    const index = new SearchIndex()
    index.replaceServer('evil', [hostile])
    for (const query of [
      huge,
      `"${huge}`,
      '<'.repeat(5_000_000),
      "'".repeat(5_000_000),
      'y'.repeat(10_000_000),
    ]) {
      const start = process.cpuUsage()
      index.search(query, { limit: 5, accept: () => true })
      expect(process.cpuUsage(start).user / 1000).toBeLessThan(5_000)
    }
  })
})

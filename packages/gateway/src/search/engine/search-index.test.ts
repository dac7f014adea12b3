import { describe, expect, it } from 'vitest'
import { SearchIndex } from './search-index.ts'
import type { SearchDocument } from './weigh-document.ts'
import { WEIGHTS } from './weights.ts'

function tool(id: string, more: Partial<SearchDocument> = {}): SearchDocument {
  const [server = '', name = ''] = id.split(':')
  return { id, server, name, title: '', description: '', inputSchema: {}, domains: [], tags: [], ...more }
}

function indexOf(...documents: readonly SearchDocument[]): SearchIndex {
  const index = new SearchIndex()
  for (const own of new Set(documents.map(({ server }) => server))) {
    index.replaceServer(
      own,
      documents.filter(({ server }) => server === own),
    )
  }
  return index
}

function find(index: SearchIndex, query: string, limit = 10): readonly string[] {
  return index.search(query, { limit, accept: () => true }).hits.map(({ id }) => id)
}

const OFFICE = [
  tool('mail:send_message', { description: 'Send an email to one or more people.' }),
  tool('mail:list_messages', { description: 'List the messages of a mailbox.' }),
  tool('files:delete_file', { description: 'Remove a file for good.', domains: ['cloud_storage'] }),
  tool('files:readFile', {
    description: 'Returns contents.',
    inputSchema: { properties: { encoding: { description: 'The character set' } } },
  }),
  tool('cal:createEvent', { title: 'New appointment', description: 'Put something into the calendar.' }),
  tool('crm:who_is', { tags: ['colleagues'], description: 'Look a person up.' }),
]

describe('searching tools', () => {
  const index = indexOf(...OFFICE)

  it.each([
    ['send an email', 'mail:send_message'],
    ['delete files', 'files:delete_file'],
    ['removing a file', 'files:delete_file'],
    ['read file', 'files:readFile'],
    ['character set encoding', 'files:readFile'],
    ['make an appointment', 'cal:createEvent'],
    ['calender', 'cal:createEvent'],
    ['mail box listing', 'mail:list_messages'],
    ['who is', 'crm:who_is'],
    ['colleague', 'crm:who_is'],
    ['files:readFile', 'files:readFile'],
    ['CREATEEVENT', 'cal:createEvent'],
    ['cloud storage', 'files:delete_file'],
  ])('"%s" finds %s', (query, id) => {
    expect(find(index, query)[0]).toBe(id)
  })

  it('finds nothing when nothing matches', () => {
    expect(index.search('zymurgy', { limit: 5, accept: () => true })).toEqual({ hits: [], total: 0 })
  })

  it('lists accepted tools by id when the query has no word', () => {
    const { hits, total } = index.search(' ?! ', { limit: 2, accept: id => !id.startsWith('cal') })
    expect(hits).toEqual([
      { id: 'crm:who_is', score: 0 },
      { id: 'files:delete_file', score: 0 },
    ])
    expect(total).toBe(5)
  })

  it('orders equal scores by id', () => {
    const twins = ['b:same', 'a:same', 'c:same'].map(id =>
      tool(id, { server: 'x', description: 'Same words' }),
    )
    expect(find(indexOf(...twins), 'same words')).toEqual(['a:same', 'b:same', 'c:same'])
  })

  it.each([0, -1, Number.NaN, 0.5])('returns the total without hits for a limit of %s', limit => {
    const { hits, total } = index.search('file', { limit, accept: () => true })
    expect(hits).toEqual([])
    expect(total).toBe(2)
  })

  it('explains the score by word', () => {
    const hit = index.search('delete a file', { limit: 1, accept: () => true, explain: true }).hits[0]
    expect(hit?.explain?.map(({ word, matched }) => [word, matched])).toEqual([
      ['delete', 'delet'],
      ['file', 'file'],
    ])
    expect(hit?.explain?.every(({ points }) => points > 0)).toBe(true)
  })
})

describe('filters and boosts', () => {
  const many = Array.from({ length: 100 }, (_, at) =>
    tool(`s:file_${String(at).padStart(3, '0')}`, {
      server: 's',
      description: at % 2 === 0 ? 'Reads a file' : 'Reads',
      domains: at === 99 ? ['documents', 'design'] : [],
    }),
  )
  const index = indexOf(...many)

  it('returns the full limit when enough tools qualify, however low they rank', () => {
    const accept = (id: string): boolean => Number(id.slice(-3)) % 2 === 1
    const { hits, total } = index.search('file', { limit: 10, accept })
    expect(hits.length).toBe(10)
    expect(total).toBe(50)
  })

  it('boosts matching domains and drops nothing', () => {
    const plain = index.search('reads', { limit: 100, accept: () => true })
    const boosted = index.search('reads', {
      limit: 100,
      accept: () => true,
      domains: ['documents', 'design', 'design', 'travel'],
    })
    expect(boosted.total).toBe(plain.total)
    expect(boosted.hits[0]?.id).toBe('s:file_099')
    const before = plain.hits.find(({ id }) => id === 's:file_099')?.score ?? 0
    expect(boosted.hits[0]?.score).toBeCloseTo(before * (1 + 2 * WEIGHTS.domain), 9)
  })

  it('boosts before applying the limit', () => {
    const { hits } = index.search('reads', { limit: 1, accept: () => true, domains: ['documents'] })
    expect(hits.map(({ id }) => id)).toEqual(['s:file_099'])
  })
})

describe('updating the index', () => {
  it('replaces one server and keeps the others', () => {
    const index = indexOf(...OFFICE)
    index.replaceServer('files', [tool('files:copy', { description: 'Copy a file.' })])
    expect(index.size).toBe(5)
    expect(find(index, 'file')).toEqual(['files:copy'])
    expect(find(index, 'email')[0]).toBe('mail:send_message')
    index.removeServer('files')
    index.removeServer('unknown')
    expect(index.size).toBe(4)
    expect(find(index, 'copy file')).toEqual([])
  })

  it('keeps two servers with the same tool names apart', () => {
    const index = indexOf(tool('a:read'), tool('b:read'))
    index.removeServer('a')
    expect(find(index, 'read')).toEqual(['b:read'])
  })

  it('keeps the last of two documents with one id', () => {
    const index = new SearchIndex()
    index.replaceServer('a', [tool('a:x', { description: 'old' }), tool('a:x', { description: 'fresh' })])
    expect(index.size).toBe(1)
    expect([find(index, 'old'), find(index, 'fresh')]).toEqual([[], ['a:x']])
  })
})

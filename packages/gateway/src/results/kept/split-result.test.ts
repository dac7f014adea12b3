import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/messages.ts'
import { parseJson, writeJson } from '../../protocol/parse-json.ts'
import { layOut } from './lay-out.ts'
import { readCursor } from './page-result.ts'
import { splitResult } from './split-result.ts'

const HANDLE = 'res_AAAAAAAAAAAAAAAAAAAAAA'
const CHARS = 2000

function split(result: Json) {
  const total = writeJson(result).length
  const { first } = splitResult(result, { chars: CHARS, total, handle: HANDLE, structured: 'omit' }) ?? {}
  const content = (first?.content ?? []) as { type: string; text: string }[]
  const note = content.at(-1)?.text ?? ''
  const meta = (first?._meta ?? {}) as Record<string, { next: string }>
  const position = readCursor(meta['io.hintgate/result']?.next ?? '', { handle: HANDLE, chars: CHARS })
  const next = [layOut(result, CHARS).pieces[position?.index ?? -1]?.part, position?.offset]
  return { first, content: content.slice(0, -1), note, meta: meta['io.hintgate/result'], next, total }
}

const text = (length: number) => ({ type: 'text', text: 'abcdefghij'.repeat(length / 10) })
const image = (length: number) => ({ type: 'image', mimeType: 'image/png', data: 'A'.repeat(length) })
const link = { type: 'resource_link', uri: 'file:///a', name: 'a' }

describe('the first part', () => {
  it('of a long text has its beginning, and tells people and programs how to continue', () => {
    const { content, note, meta, next, total } = split({ content: [text(250_000)], isError: false })
    const shown = content[0]?.text.length ?? 0
    expect(content).toEqual([{ type: 'text', text: text(250_000).text.slice(0, shown) }])
    expect(shown).toBeGreaterThan(1200)
    expect(next).toEqual(['/content/0/text', shown])
    expect(meta).toEqual({ handle: HANDLE, unit: 'chars', total, shown: shown + 55, next: meta?.next })
    expect(note).toBe(
      `[Cut: ${(shown + 55).toLocaleString('en-US')} of 250,055 characters shown. ` +
        `Continue with read_result {"handle":"${HANDLE}","cursor":"${meta?.next}"}]`,
    )
  })

  it('has all short values and the beginning of every text', () => {
    const others = { isError: true, _meta: { trace: 1 }, 'x-unknown': [1] }
    const { first, content, next } = split({ content: [text(5000), link, text(4000)], ...others })
    expect(first).toMatchObject(others)
    expect(content[1]).toEqual(link)
    expect(content[2]?.text).toHaveLength(40)
    expect(next[0]).toBe('/content/0/text')
  })

  it('keeps the annotations of a text and the URI of an embedded text resource', () => {
    const annotated = { ...text(5000), annotations: { priority: 1 }, _meta: { a: 1 } }
    expect(split({ content: [annotated] }).content[0]).toMatchObject({
      annotations: { priority: 1 },
      _meta: { a: 1 },
    })
    const { content, next } = split({
      content: [{ type: 'resource', resource: { uri: 'file:///log', text: text(5000).text } }],
    })
    expect(content[0]).toMatchObject({ type: 'resource', resource: { uri: 'file:///log' } })
    expect(next[0]).toBe('/content/0/resource/text')
  })

  it('never has half an image: an image that fits is included, and any other comes at the end', () => {
    const small = split({ content: [image(9000), image(1000), text(100)] })
    expect(small.content).toEqual([image(1000), text(100)])
    expect(small.note).toContain('1 of 3 content blocks omitted.')
    expect(small.next).toEqual(['/content/0', 0])
    expect(split({ content: [image(1000), image(9000)] }).next).toEqual(['/content/1', 0])
    expect(split({ content: [image(9000), text(5000)] }).next[0]).toBe('/content/1/text')
  })

  it('omits a block with a long frame, because a block without its frame would be a different one', () => {
    const { content, next } = split({ content: [{ ...text(5000), _meta: { a: 'x'.repeat(600) } }, link] })
    expect(content).toEqual([link])
    expect(next).toEqual(['/content/0', 0])
  })

  it('never has a part of structuredContent, because a program could not notice the cut', () => {
    const rows = Array.from({ length: 500 }, (_, id) => ({ id, name: `row ${id}` }))
    const both = { content: [text(5000)], structuredContent: { rows } }
    expect(split(both).first).not.toHaveProperty('structuredContent')
    expect(split(both).note).toContain('Part "/structuredContent" omitted.')
    const short = split({ content: [text(5000)], structuredContent: { total: 5 } })
    expect(short.first).toMatchObject({ structuredContent: { total: 5 } })
    expect(short.note).not.toContain('structuredContent')
  })

  it('shows the beginning of structuredContent as text when there is nothing else', () => {
    const rows = Array.from({ length: 500 }, (_, id) => ({ id, name: `row ${id}` }))
    const { content, note, next } = split({ content: [], structuredContent: { rows, total: 500 } })
    const preview = JSON.parse(content[0]?.text ?? '') as { rows: unknown[]; total: number }
    expect(preview.total).toBe(500)
    expect(preview.rows.length).toBeGreaterThan(5)
    expect(preview.rows).toEqual(rows.slice(0, preview.rows.length))
    expect(note).toContain('omitted; the JSON above is its beginning.')
    expect(next).toEqual(['/structuredContent', 0])
  })

  it('shows nothing of a value that cannot be shortened, such as a number with thousands of digits', () => {
    const parsed = parseJson(`{"content":[],"structuredContent":${'1234567890'.repeat(300)}}`, 10)
    expect(split((parsed.ok ? parsed.value : {}) as Json).content).toEqual([])
  })

  it('has as many blocks as fit when there are very many', () => {
    const { content, next } = split({
      content: Array.from({ length: 500 }, (_, id) => ({ type: 'text', text: `${id}` })),
    })
    expect(content.length).toBeGreaterThan(30)
    expect(content.at(-1)?.text).toBe(`${content.length - 1}`)
    expect(next).toEqual(['/content', content.length])
  })

  it('says whether it is an error, whatever else it contains', () => {
    const others = Object.fromEntries(Array.from({ length: 300 }, (_, id) => [`x${id}`, 0]))
    const { first, next } = split({ ...others, isError: true, content: [text(100)] })
    expect(first).toMatchObject({ x0: 0, isError: true })
    expect(first).not.toHaveProperty('x299')
    expect(next).toEqual(['', 0])
  })

  it('points to the outline when a short block did not fit', () => {
    const { content, next } = split({
      a: 'x'.repeat(400),
      b: 'x'.repeat(400),
      content: Array(4).fill(text(200)),
    })
    expect(content).toHaveLength(2)
    expect(next).toEqual(['', 0])
  })

  it("keeps the gateway's findings, however much the server adds beside them", () => {
    const ours = { 'io.hintgate/taint': { findings: [] }, 'io.hintgate/notes': ['x'] }
    const theirs = { 'io.hintgate/effects': 'x'.repeat(5000), pad: 'x'.repeat(5000) }
    const { first, next } = split({ _meta: { ...theirs, ...ours }, content: [text(100)] })
    expect(first?._meta).toEqual({ ...ours, 'io.hintgate/result': expect.anything() })
    expect(next).toEqual(['/_meta', 0])
    const short = { _meta: { a: 1, ...ours }, content: [text(5000)] }
    expect(split(short).first?._meta).toMatchObject(short._meta)
  })

  it("does not accept a server's mark as the gateway's own", () => {
    const forged = { 'io.hintgate/result': { handle: 'res_forged' } }
    const { meta, next } = split({ content: [text(5000)], _meta: forged })
    expect(meta).toMatchObject({ handle: HANDLE })
    // Reading continues at the beginning of the omitted part.
    expect(next).toEqual(['', 0])
  })
})

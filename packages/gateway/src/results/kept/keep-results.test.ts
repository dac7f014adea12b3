import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HintgateError } from '../../base/errors.ts'
import type { Json } from '../../protocol/messages.ts'
import { parseJson, writeJson } from '../../protocol/parse-json.ts'
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts'
import type { ResultStore, Store } from '../../store/store.ts'
import { reassemble } from '../test-support/reassemble.ts'
import { type ResultCall, ResultKeeper, type ResultKeeperOptions } from './keep-results.ts'
import type { Page } from './page-result.ts'
import { META_KEY } from './split-result.ts'

const HOUR = 3_600_000
const call = { owner: 'agent:bot', tool: 'crm:export', now: 1000, structured: 'omit' } as const
const reader = { owner: 'agent:bot', now: 1000 }
const LONG = {
  content: [
    { type: 'text', text: 'naïve 🦔 "quoted"\n'.repeat(500) },
    { type: 'image', data: 'A'.repeat(9000), mimeType: 'image/png' },
  ],
  structuredContent: { rows: Array.from({ length: 1000 }, (_, id) => ({ id })) },
  isError: false,
}

describe('results that are too long', () => {
  let folder: string
  let store: Store
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-results-'))
    store = openSqliteStore(join(folder, 'store.db'))
  })
  afterEach(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  const createKeeper = (options: Partial<ResultKeeperOptions> = {}) => {
    const quota = { ownerBytes: 1e6, totalBytes: 1e7 }
    return new ResultKeeper({
      store: store.results,
      chars: 2000,
      keepMs: HOUR,
      quota,
      randomBytes,
      ...options,
    })
  }

  const keepLong = async (keeper: ResultKeeper, fields: Partial<ResultCall> = {}, result: Json = LONG) => {
    const kept = await keeper.keep(result, { ...call, ...fields })
    if (kept.kind !== 'kept') throw new Error(kept.kind)
    return kept
  }

  const readAll = async (keeper: ResultKeeper, handle: string): Promise<unknown> => {
    const pages: Page[] = []
    let cursor: string | undefined
    do {
      const page = await keeper.read({ handle, ...(cursor === undefined ? {} : { cursor }) }, reader)
      if ('problem' in page) throw new Error(page.text)
      pages.push(page)
      cursor = page.next
    } while (cursor !== undefined)
    return reassemble(pages)
  }

  it('are answered in part and can be read completely by their caller', async () => {
    const keeper = createKeeper()
    const { first, handle } = await keepLong(keeper)
    expect(handle).toMatch(/^res_[\w-]{22}$/)
    expect(writeJson(first).length).toBeLessThanOrEqual(2000)
    expect(await readAll(keeper, handle)).toEqual(LONG)
    const { next } = (first._meta as Record<string, { next: string }>)[META_KEY] ?? {}
    expect(await keeper.read({ handle, cursor: next }, reader)).toMatchObject({
      part: '/content/0/text',
      tool: 'crm:export',
    })
  })

  it('can be read after a restart with earlier cursors, and keep every digit of long numbers', async () => {
    const parsed = parseJson(`{"content":[${'12345678901234567890,'.repeat(300)}0],"a":1e400}`, 10)
    const result = (parsed.ok ? parsed.value : {}) as Json
    const before = createKeeper()
    const { first, handle } = await keepLong(before, {}, result)
    const { next } = (first._meta as Record<string, { next: string }>)[META_KEY] ?? {}
    const page = await before.read({ handle, cursor: next }, reader)
    await store.close()
    store = openSqliteStore(join(folder, 'store.db'))
    const after = createKeeper()
    expect(await after.read({ handle, cursor: next }, reader)).toEqual(page)
    expect(writeJson(await readAll(after, handle))).toBe(writeJson(result))
  })

  it('give the same answer to another caller, after they expired, and for a made-up handle', async () => {
    const warm = createKeeper()
    const { handle } = await keepLong(warm)
    const unknown = await warm.read({ handle: 'res_AAAAAAAAAAAAAAAAAAAAAA' }, reader)
    expect(unknown).toMatchObject({ problem: 'handle' })
    for (const keeper of [warm, createKeeper()]) {
      expect(await keeper.read({ handle }, { owner: 'agent:other', now: 1000 })).toEqual(unknown)
      expect(await keeper.read({ handle }, { owner: 'agent:bot', now: 999 + HOUR })).toMatchObject({ handle })
      expect(await keeper.read({ handle }, { owner: 'agent:bot', now: 1000 + HOUR })).toEqual(unknown)
    }
  })

  it('are measured by their length as JSON', async () => {
    const keeper = createKeeper()
    const frame = writeJson({ content: [{ type: 'text', text: '' }] }).length
    const ofLength = (length: number) => ({
      content: [{ type: 'text', text: '\n'.repeat((length - frame) / 2) }],
    })
    expect(await keeper.keep(ofLength(2000 - (frame % 2)), call)).toEqual({ kind: 'whole' })
    expect(await keeper.keep(ofLength(2002), call)).toMatchObject({ kind: 'kept' })
    const short = { content: [] }
    expect(await keeper.keep(short, { ...call, text: JSON.stringify(short, null, 999) })).toEqual({
      kind: 'whole',
    })
  })

  it('are not cut when they ask for input, because half a question cannot be answered', async () => {
    const question = { resultType: 'input_required', inputRequests: { a: { method: 'x'.repeat(5000) } } }
    expect(await createKeeper().keep(question, call)).toEqual({ kind: 'whole' })
  })

  it('are not cut when only structuredContent is long and must stay complete', async () => {
    const result = { content: [], structuredContent: LONG.structuredContent }
    expect(await createKeeper().keep(result, { ...call, structured: 'whole' })).toEqual({ kind: 'whole' })
    expect(await createKeeper().keep(result, call)).toMatchObject({ kind: 'kept' })
  })

  it('are reported as not stored when there is no space', async () => {
    const keeper = createKeeper({ quota: { ownerBytes: 100, totalBytes: 1e7 } })
    expect(await keeper.keep(LONG, call)).toEqual({ kind: 'not-kept', why: 'there is no space to store it' })
  })

  it('are reported as not stored when the store fails, while a bug is still thrown', async () => {
    const broken = new HintgateError('store_unavailable', { store: 'sqlite:a', why: 'disk full' })
    const failing = (error: Error): ResultStore => ({ ...store.results, insert: () => Promise.reject(error) })
    const refused = await createKeeper({ store: failing(broken) }).keep(LONG, call)
    expect(refused).toEqual({ kind: 'not-kept', why: 'it could not be stored', cause: broken })
    await expect(createKeeper({ store: failing(new TypeError('a bug')) }).keep(LONG, call)).rejects.toThrow(
      'a bug',
    )
  })

  it('replace older ones of the same owner', async () => {
    const quota = { ownerBytes: 70_000, totalBytes: 1e7 }
    const keeper = createKeeper({ quota })
    const handles: string[] = []
    for (const now of [1000, 1001, 1002]) handles.push((await keepLong(keeper, { now })).handle)
    const pages = await Promise.all(handles.map(handle => keeper.read({ handle }, reader)))
    expect(pages.map(page => 'problem' in page)).toEqual([true, false, false])
  })

  it('are read about one page at a time, however long they are', async () => {
    const read: string[] = []
    const counting: ResultStore = {
      ...store.results,
      async find(handle, owner, now) {
        const kept = await store.results.find(handle, owner, now)
        if (kept !== undefined) read.push(kept.body)
        return kept
      },
      async readRuns(handle, first, count) {
        const runs = await store.results.readRuns(handle, first, count)
        read.push(...runs)
        return runs
      },
    }
    const keeper = createKeeper({ store: counting })
    const rows = {
      content: [],
      structuredContent: { rows: Array.from({ length: 40_000 }, (_, id) => ({ id })) },
    }
    const texts = { content: [{ type: 'text', text: 'word '.repeat(100_000) }] }
    const handles = [(await keepLong(keeper, {}, rows)).handle, (await keepLong(keeper, {}, texts)).handle]
    for (const part of ['/structuredContent/rows', '/content/0/text'])
      for (const handle of handles) await keeper.read({ handle, part, limit: 1 }, reader)
    // Results have half a million characters, but only the index and the parts that a page needs are read.
    expect(Math.max(...read.map(text => text.length))).toBeLessThan(10_000)
    expect(read.length).toBeLessThanOrEqual(4 + 2 * 2)
  })
})

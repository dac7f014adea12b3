import { describe, expect, it } from 'vitest'
import type { AuditRow, AuditSeal, AuditWriter } from './audit-store.ts'
import type { Store } from './store.ts'

type Open = () => Promise<Store>
type Content = Omit<AuditRow, 'writer' | 'seq' | 'prev' | 'hash'>

export function exampleWriter(name: string): AuditWriter {
  return { name, startedAt: 1000, place: 'here', pid: 7, processStart: '42', keyId: 'key' }
}

export function sealStart(id: number): AuditSeal {
  return { seq: 0, hash: '', mac: `start-of-${id}` }
}

export function exampleContent(request: string, fields: Partial<Content> = {}): Content {
  return {
    at: 1000,
    kind: 'call',
    request,
    agent: 'agent:bot',
    server: 'crm',
    tool: 'find',
    variant: 'read',
    verdict: 'allow',
    outcome: 'answered',
    code: '',
    body: '{}',
    ...fields,
  }
}

function intent(request: string, fields: Partial<Content> = {}): Content {
  return exampleContent(request, { kind: 'intent', variant: 'write', outcome: '', ...fields })
}

function outcome(request: string, fields: Partial<Content> = {}): Content {
  return exampleContent(request, { kind: 'outcome', variant: 'write', ...fields })
}

/** Returns rows with made-up hashes. The hashes only need to differ, because the store does not check them. */
function rowsOf(writer: number, after: number, contents: readonly Content[]): AuditRow[] {
  return contents.map((content, index) => {
    const seq = after + index + 1
    return { ...content, writer, seq, prev: `hash-${seq - 1}`, hash: `hash-${seq}` }
  })
}

interface AppendOptions {
  readonly after?: number
  readonly openFrom?: number
  readonly closes?: number
  readonly at?: number
}

function append(
  store: Store,
  writer: number,
  contents: readonly Content[],
  { after = 0, openFrom = 1, closes, at = 2000 }: AppendOptions = {},
): Promise<boolean> {
  const rows = rowsOf(writer, after, contents)
  const seq = after + rows.length
  return store.audit.append({
    writer,
    rows,
    ...(rows.length === 0 ? {} : { head: { seq, hash: `hash-${seq}`, mac: `mac-${seq}` } }),
    openFrom,
    at,
    ...(closes === undefined ? {} : { closes }),
  })
}

const requestsOf = (rows: readonly Content[]) => rows.map(({ request }) => request)

export function describeAudit(open: Open): void {
  describe('the audit log', () => {
    describeChains(open)
    describeOpenCalls(open)
    describeQueries(open)
    describeReading(open)
    describeSeals(open)
  })
}

function describeChains(open: Open): void {
  it('numbers its writers without gaps under concurrent registration', async () => {
    const [one, two] = [await open(), await open()]
    const names = Array.from({ length: 10 }, (_, index) => `w${index}`)
    const ids = await Promise.all(
      names.map((name, index) => (index % 2 ? one : two).audit.register(exampleWriter(name), sealStart)),
    )
    expect(ids.toSorted((a, b) => a - b)).toEqual(names.map((_, index) => index + 1))
    await expect(one.audit.register(exampleWriter('w3'), sealStart)).rejects.toThrow()
    expect(await two.audit.register(exampleWriter('next'), sealStart)).toBe(11)
  })

  it('keeps rows with every field, for other processes and after closing', async () => {
    const first = await open()
    const writer = await first.audit.register(exampleWriter('w'), sealStart)
    const odd = {
      body: '{"args":{"text":"naïve 🦔 \\u0000\\u001f"},"n":12345678901234567890}',
      tool: 'naïve 🦔',
      at: 2 ** 42,
    }
    await append(first, writer, [exampleContent('r1', odd), exampleContent('r2', { code: 'c' })])
    const other = await open()
    const rows = rowsOf(writer, 0, [exampleContent('r1', odd), exampleContent('r2', { code: 'c' })])
    expect((await other.audit.read(undefined, 10)).rows).toEqual(rows)
    await first.close()
    expect((await (await open()).audit.readWriter(writer, 0, 10)).map(row => row.hash)).toEqual([
      'hash-1',
      'hash-2',
    ])
  })

  it('returns the end of every chain', async () => {
    const store = await open()
    const writer = await store.audit.register(exampleWriter('w'), sealStart)
    const registered = { ...exampleWriter('w'), id: writer, seenAt: 1000, openFrom: 1 }
    expect(await store.audit.writers()).toEqual([{ ...registered, head: sealStart(writer) }])
    await append(store, writer, [])
    await store.audit.closeWriter(writer, 3000)
    expect((await store.audit.writers())[0]?.head).toEqual(sealStart(writer))
    await append(store, writer, [exampleContent('r1'), exampleContent('r2')], { openFrom: 3, at: 5000 })
    const head = { seq: 2, hash: 'hash-2', mac: 'mac-2' }
    expect(await store.audit.writers()).toEqual([{ ...registered, seenAt: 5000, openFrom: 3, head }])
  })

  it('accepts only rows that follow the last row, all or none', async () => {
    const store = await open()
    const writer = await store.audit.register(exampleWriter('w'), sealStart)
    await append(store, writer, [exampleContent('r1')])
    await expect(append(store, writer, [exampleContent('again')])).rejects.toThrow()
    await expect(append(store, writer, [exampleContent('gap')], { after: 2 })).rejects.toThrow()
    await expect(append(store, 99, [exampleContent('nobody')])).rejects.toThrow()
    expect(requestsOf((await store.audit.read(undefined, 10)).rows)).toEqual(['r1'])
    await append(store, writer, [exampleContent('r2')], { after: 1 })
    expect(requestsOf((await store.audit.read(undefined, 10)).rows)).toEqual(['r1', 'r2'])
  })

  it('does not report a change to listeners when rows are added', async () => {
    const [one, two] = [await open(), await open()]
    const before = [one.version(), two.version()]
    const writer = await one.audit.register(exampleWriter('w'), sealStart)
    await append(one, writer, [exampleContent('r1')])
    expect([one.version(), two.version()]).toEqual(before)
  })
}

function describeOpenCalls(open: Open): void {
  it('returns open calls of one writer and of all open writers', async () => {
    const store = await open()
    const [a, b] = [
      await store.audit.register(exampleWriter('a'), sealStart),
      await store.audit.register(exampleWriter('b'), sealStart),
    ]
    await append(store, a, [intent('a1', { at: 3 }), intent('a2', { at: 1 }), outcome('a1')])
    await append(store, b, [intent('b1', { at: 2 }), exampleContent('b2')])
    expect(requestsOf(await store.audit.open())).toEqual(['a2', 'b1'])
    expect(requestsOf(await store.audit.open(b))).toEqual(['b1'])
    await store.audit.closeWriter(b, 9)
    expect(requestsOf(await store.audit.open())).toEqual(['a2'])
  })

  it("accepts a row as the end of a call only if it was written after the call's intent", async () => {
    const store = await open()
    const writer = await store.audit.register(exampleWriter('w'), sealStart)
    // Rows that were written earlier with the same request id do not end the call.
    await append(store, writer, [exampleContent('r1'), intent('r1'), intent('r2'), exampleContent('r2')])
    expect(requestsOf(await store.audit.open())).toEqual(['r1'])
  })

  it('searches for open calls only from the row that the writer gives', async () => {
    const store = await open()
    const writer = await store.audit.register(exampleWriter('w'), sealStart)
    await append(store, writer, [intent('r1'), intent('r2')], { openFrom: 2 })
    expect(requestsOf(await store.audit.open())).toEqual(['r2'])
  })

  it('lets one of several processes end the open calls of another writer, in its own chain', async () => {
    const [one, two] = [await open(), await open()]
    const gone = await one.audit.register(exampleWriter('gone'), sealStart)
    await append(one, gone, [intent('r1')])
    const others = await Promise.all([
      one.audit.register(exampleWriter('a'), sealStart),
      two.audit.register(exampleWriter('b'), sealStart),
    ])
    const ends = others.map((writer, index) =>
      append(index ? two : one, writer, [outcome('r1', { outcome: 'unknown' })], { closes: gone }),
    )
    expect((await Promise.all(ends)).filter(Boolean)).toHaveLength(1)
    expect(await one.audit.open(gone)).toEqual([])
    expect((await one.audit.find('r1')).map(({ kind }) => kind)).toEqual(['intent', 'outcome'])
    expect((await one.audit.writers())[0]).toMatchObject({ closedAt: 2000 })
  })

  it('closes a writer once, and opens it again when it writes or shows that it still runs', async () => {
    const store = await open()
    const writer = await store.audit.register(exampleWriter('w'), sealStart)
    expect(await store.audit.closeWriter(writer, 5)).toBe(true)
    expect(await store.audit.closeWriter(writer, 6)).toBe(false)
    expect(await store.audit.writers('open')).toEqual([])
    expect(await store.audit.writers()).toHaveLength(1)
    await append(store, writer, [], { at: 77 })
    expect(await store.audit.writers('open')).toMatchObject([{ seenAt: 77 }])
    expect((await store.audit.writers())[0]?.closedAt).toBeUndefined()
    expect(await store.audit.closeWriter(writer, 7)).toBe(true)
  })
}

function describeQueries(open: Open): void {
  const filled = async (): Promise<Store> => {
    const store = await open()
    const writer = await store.audit.register(exampleWriter('w'), sealStart)
    await append(store, writer, [
      exampleContent('r1', { at: 10 }),
      intent('r2', { at: 20, agent: 'agent:other', server: 'db' }),
      exampleContent('r3', {
        at: 30,
        verdict: 'deny',
        outcome: 'refused',
        code: 'policy_denied',
        tool: 'get',
      }),
      outcome('r2', {
        at: 20,
        agent: 'agent:other',
        server: 'db',
        outcome: 'failed',
        code: 'upstream_timeout',
      }),
      exampleContent('r4', { at: 30 }),
      intent('r5', { at: 50 }),
    ])
    return store
  }
  const ask = async (store: Store, filter: object): Promise<string[]> => {
    const { calls } = await store.audit.query({ limit: 10, ...filter })
    return calls.map(({ ending }) => ending.request)
  }

  it('finds calls that ended, newest first, with their intents', async () => {
    const store = await filled()
    const { calls, next } = await store.audit.query({ limit: 10 })
    expect(calls.map(({ intent: first, ending }) => [ending.request, first?.kind])).toEqual([
      ['r4', undefined],
      ['r3', undefined],
      ['r2', 'intent'],
      ['r1', undefined],
    ])
    expect(next).toBeUndefined()
  })

  it('finds calls by each field and by combinations of fields', async () => {
    const store = await filled()
    expect(await ask(store, { agent: 'agent:bot' })).toEqual(['r4', 'r3', 'r1'])
    expect(await ask(store, { agent: 'agent:nobody' })).toEqual([])
    expect(await ask(store, { server: 'db' })).toEqual(['r2'])
    expect(await ask(store, { tool: 'get' })).toEqual(['r3'])
    expect(await ask(store, { variant: 'write' })).toEqual(['r2'])
    expect(await ask(store, { verdict: 'deny' })).toEqual(['r3'])
    expect(await ask(store, { verdict: 'allow' })).toEqual(['r4', 'r2', 'r1'])
    expect(await ask(store, { outcome: 'answered' })).toEqual(['r4', 'r1'])
    expect(await ask(store, { outcome: 'failed' })).toEqual(['r2'])
    expect(await ask(store, { code: 'policy_denied' })).toEqual(['r3'])
    expect(await ask(store, { agent: 'agent:bot', outcome: 'answered', since: 20 })).toEqual(['r4'])
  })

  it('finds calls at or after one time and before another', async () => {
    const store = await filled()
    expect(await ask(store, { since: 20 })).toEqual(['r4', 'r3', 'r2'])
    expect(await ask(store, { until: 20 })).toEqual(['r1'])
    expect(await ask(store, { since: 20, until: 30 })).toEqual(['r2'])
  })

  it('pages through calls of the same moment without missing or repeating any', async () => {
    const store = await filled()
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await store.audit.query({ limit: 1, ...(cursor === undefined ? {} : { cursor }) })
      expect(page.calls).toHaveLength(1)
      found.push(...page.calls.map(({ ending }) => ending.request))
      cursor = page.next
    } while (cursor !== undefined)
    expect(found).toEqual(['r4', 'r3', 'r2', 'r1'])
  })

  it('finds all rows of one call', async () => {
    const store = await filled()
    expect((await store.audit.find('r2')).map(({ kind }) => kind)).toEqual(['intent', 'outcome'])
    expect((await store.audit.find('r5')).map(({ kind }) => kind)).toEqual(['intent'])
    expect(await store.audit.find('R2')).toEqual([])
  })
}

function describeReading(open: Open): void {
  it('can be read from the beginning in slices, with each chain in order', async () => {
    const [one, two] = [await open(), await open()]
    const [a, b] = [
      await one.audit.register(exampleWriter('a'), sealStart),
      await two.audit.register(exampleWriter('b'), sealStart),
    ]
    await append(one, a, [exampleContent('a1'), exampleContent('a2')])
    await append(two, b, [exampleContent('b1')])
    await append(one, a, [exampleContent('a3')], { after: 2 })
    const found: string[] = []
    let cursor: string | undefined
    for (let round = 0; round < 5; round++) {
      const slice = await one.audit.read(cursor, 1)
      found.push(...requestsOf(slice.rows))
      cursor = slice.cursor
    }
    expect(found).toHaveLength(4)
    expect(found.filter(request => request.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
    expect(requestsOf(await two.audit.readWriter(a, 1, 1))).toEqual(['a2'])
  })

  it('can be checked from the beginning in slices, and finds no misfiled row', async () => {
    const store = await open()
    const writer = await store.audit.register(exampleWriter('w'), sealStart)
    const contents = ['p-1', 'odd', 'p-900'].map((request, index) =>
      exampleContent(request, { at: index, code: request }),
    )
    await append(store, writer, contents)
    for (let after = 3; after < 40; after++)
      await append(store, writer, [intent(`p-${after}`, { at: after })], { after })
    await store.audit.seal(writer, 0, { seq: 1, hash: 'hash-1', mac: 'mac' })
    const found: number[] = []
    for (let cursor: string | undefined; ; ) {
      const slice = await store.audit.check(cursor, 10)
      expect(slice.misfiled).toEqual([])
      if (slice.isOver) break
      found.push(...slice.rows.map(({ seq }) => seq))
      cursor = slice.cursor
    }
    expect(found).toEqual(Array.from({ length: 39 }, (_, index) => index + 2))
  })

  it('can be followed from its end, even if it was empty before', async () => {
    const [mine, other] = [await open(), await open()]
    const start = await mine.audit.end()
    const writer = await other.audit.register(exampleWriter('w'), sealStart)
    await append(other, writer, [exampleContent('r1')])
    const first = await mine.audit.read(start, 10)
    expect(requestsOf(first.rows)).toEqual(['r1'])
    expect(await mine.audit.read(first.cursor, 10)).toEqual({ rows: [], cursor: first.cursor })
    expect(await mine.audit.end()).toBe(first.cursor)
    await append(other, writer, [exampleContent('r2')], { after: 1 })
    const second = await mine.audit.read(first.cursor, 10)
    expect(requestsOf(second.rows)).toEqual(['r2'])
    await other.audit.seal(writer, 0, { seq: 2, hash: 'hash-2', mac: 'mac' })
    await append(other, writer, [exampleContent('r3')], { after: 2 })
    expect(requestsOf((await mine.audit.read(second.cursor, 10)).rows)).toEqual(['r3'])
  })
}

function describeSeals(open: Open): void {
  it('deletes the beginning of a chain and stores a seal instead', async () => {
    const store = await open()
    const [a, b] = [
      await store.audit.register(exampleWriter('a'), sealStart),
      await store.audit.register(exampleWriter('b'), sealStart),
    ]
    await append(store, a, [exampleContent('a1'), exampleContent('a2'), exampleContent('a3')])
    await append(store, b, [exampleContent('b1')])
    const seal = { seq: 2, hash: 'hash-2', mac: 'mac' }
    expect(await store.audit.seal(a, 0, seal)).toBe(true)
    expect(requestsOf((await store.audit.read(undefined, 10)).rows)).toEqual(['a3', 'b1'])
    expect((await store.audit.writers())[0]).toMatchObject({ sealed: seal, head: { seq: 3 } })
    await append(store, a, [exampleContent('a4')], { after: 3 })
  })

  it('accepts only a seal that continues the last seal and names an existing row', async () => {
    const store = await open()
    const writer = await store.audit.register(exampleWriter('w'), sealStart)
    await append(store, writer, [exampleContent('r1'), exampleContent('r2')])
    const seal = (after: number, seq: number) =>
      store.audit.seal(writer, after, { seq, hash: `hash-${seq}`, mac: 'mac' })
    expect(await seal(1, 2)).toBe(false)
    expect(await seal(0, 3)).toBe(false)
    expect(await seal(0, 1)).toBe(true)
    expect(await seal(0, 2)).toBe(false)
    expect(requestsOf((await store.audit.read(undefined, 10)).rows)).toEqual(['r2'])
  })
}

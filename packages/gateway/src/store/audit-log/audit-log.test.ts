import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AuditFilter, AuditRow } from '../audit-store.ts'
import { exampleContent, exampleWriter, sealStart } from '../contract-audit.ts'
import { MIGRATIONS } from '../sqlite/migrations.ts'
import { openDatabase } from '../sqlite/open-database.ts'
import { openSqliteStore } from '../sqlite/sqlite-store.ts'
import type { Store } from '../store.ts'
import { toChunks } from './chunk.ts'
import { packedField, packRows, unpackRows } from './pack-rows.ts'
import { LONGEST, spansOf } from './request-spans.ts'
import { ShapedRow, shapeRows } from './shape.ts'

type Content = Omit<AuditRow, 'writer' | 'seq' | 'prev' | 'hash'>

const AGENTS = ['agent:a', 'agent:b']
const content: fc.Arbitrary<Content> = fc.record({
  at: fc.integer({ min: 0, max: 60 }),
  kind: fc.constantFrom('call', 'intent', 'outcome'),
  request: fc.oneof(
    fc.nat({ max: 9000 }).map(number => `p-${number.toString(36)}`),
    fc.constantFrom('odd', 'odd-', '-', 'x-y-z-1'),
  ),
  agent: fc.constantFrom(...AGENTS),
  server: fc.constantFrom('crm', 'db'),
  tool: fc.constantFrom('find', 'send', 'naïve 🦔'),
  variant: fc.constantFrom('read', 'write'),
  verdict: fc.constantFrom('allow', 'deny', ''),
  outcome: fc.constantFrom('answered', 'failed'),
  code: fc.constantFrom('', 'policy_denied'),
  body: fc.oneof(
    fc.json(),
    fc.nat().map(number => `{"door":"direct","session":"${number}"}`),
  ),
})
const FILTERS: Required<{ [K in Exclude<keyof AuditFilter, 'also'>]: fc.Arbitrary<AuditFilter[K]> }> = {
  agent: fc.constantFrom(...AGENTS, 'agent:nobody'),
  server: fc.constantFrom('crm', 'db'),
  tool: fc.constantFrom('find', 'send'),
  variant: fc.constantFrom('read', 'write'),
  verdict: fc.constantFrom('allow', 'deny'),
  outcome: fc.constantFrom('answered', 'failed'),
  code: fc.constantFrom('', 'policy_denied'),
  since: fc.integer({ min: 0, max: 60 }),
  until: fc.integer({ min: 0, max: 60 }),
}
/** A filter with at most two conditions, because a row would hardly ever match more of them. */
const filter: fc.Arbitrary<AuditFilter> = fc
  .tuple(fc.record(FILTERS), fc.subarray(Object.keys(FILTERS), { maxLength: 2 }))
  .map(([all, some]) => Object.fromEntries(Object.entries(all).filter(([key]) => some.includes(key))))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hintgate-log-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function place(writer: number, after: number, contents: readonly Content[]): AuditRow[] {
  return contents.map((one, index) => {
    const seq = after + index + 1
    return { ...one, writer, seq, prev: `h${seq - 1}`, hash: `h${seq}` }
  })
}

/** Writes batches to two chains in turn. Returns all rows in the order of writing. */
async function fill(store: Store, batches: readonly (readonly Content[])[]): Promise<AuditRow[]> {
  const writers = [
    await store.audit.register(exampleWriter('a'), sealStart),
    await store.audit.register(exampleWriter('b'), sealStart),
  ]
  const ends = [0, 0]
  const all: AuditRow[] = []
  for (const [index, batch] of batches.entries()) {
    const which = index % 2
    const rows = place(writers[which] ?? 0, ends[which] ?? 0, batch)
    ends[which] = (ends[which] ?? 0) + rows.length
    const seq = ends[which]
    const head = { seq, hash: `h${seq}`, mac: '' }
    await store.audit.append({
      writer: writers[which] ?? 0,
      rows,
      ...(rows.length === 0 ? {} : { head }),
      openFrom: 1,
      at: 1,
    })
    all.push(...rows)
  }
  return all
}

/** A reference implementation that answers a query from all rows in memory. */
function search(all: readonly AuditRow[], { since, until, ...equal }: AuditFilter): AuditRow[] {
  return all
    .map((row, index) => ({ row, index }))
    .filter(({ row }) => row.kind !== 'intent')
    .filter(({ row }) => row.at >= (since ?? 0) && row.at < (until ?? 100))
    .filter(({ row }) => Object.entries(equal).every(([key, value]) => row[key as keyof AuditRow] === value))
    .sort((a, b) => b.row.at - a.row.at || b.index - a.index)
    .map(({ row }) => row)
}

describe('the log in chunks', () => {
  it('finds the same calls in the same order, page by page, as a search through all rows', async () => {
    let round = 0
    let longest = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(content, { maxLength: 12 }), { maxLength: 14 }),
        fc.array(filter, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 7 }),
        async (batches, filters, limit) => {
          const store = openSqliteStore(join(folder, `${round++}.db`))
          const all = await fill(store, batches)
          for (const wanted of filters) {
            const found: AuditRow[] = []
            for (let cursor: string | undefined, pages = 0; pages < 500; pages++) {
              const page = await store.audit.query({
                ...wanted,
                limit,
                ...(cursor === undefined ? {} : { cursor }),
              })
              found.push(...page.calls.map(({ ending }) => ending))
              longest = Math.max(longest, pages + 1)
              cursor = page.next
              if (cursor === undefined) break
            }
            expect(found).toEqual(search(all, wanted))
          }
          for (const { request } of all)
            expect(await store.audit.find(request)).toEqual(all.filter(row => row.request === request))
          await store.close()
        },
      ),
      { numRuns: 25 },
    )
    expect(longest).toBeGreaterThan(5)
  }, 60_000)

  it('unpacks rows exactly as they were packed', () => {
    fc.assert(
      fc.property(fc.array(content, { minLength: 1 }), contents => {
        const rows = place(7, 3, contents)
        expect(unpackRows(7, packRows(rows, shapeRows(rows)))).toEqual(rows)
      }),
    )
  })

  it('packs and unpacks rows whose numbers and hashes were tampered with', () => {
    const odd = fc.record({
      content,
      seq: fc.nat(),
      prev: fc.constantFrom('', 'h1', 'h2', 'x'),
      hash: fc.constantFrom('', 'h1', 'h2'),
    })
    fc.assert(
      fc.property(fc.array(odd, { minLength: 1 }), found => {
        const rows = found.map(({ content: said, ...where }) => ({ ...said, ...where, writer: 7 }))
        expect(unpackRows(7, packRows(rows, shapeRows(rows)))).toEqual(rows)
        const one = rows[0]?.request ?? ''
        const some = unpackRows(7, packRows(rows, shapeRows(rows)), {
          shape: [packedField('agent:a'), packedField('intent')],
          row: [packedField(one)],
        })
        expect(some).toEqual(
          rows.filter(
            ({ agent, kind, request }) => agent === 'agent:a' && kind === 'intent' && request === one,
          ),
        )
      }),
    )
  })

  it('stores the common data of calls only once', () => {
    const alike = (index: number) => ({
      ...exampleContent(`p-${index}`),
      body: `{"title":"${'t'.repeat(300)}","session":"${index}"}`,
    })
    const rows = place(
      7,
      3,
      Array.from({ length: 100 }, (_, index) => alike(index)),
    )
    expect(packRows(rows, shapeRows(rows)).length).toBeLessThan(100 * 60)
  })

  it('reads rows with the same shapes with which they were written', () => {
    fc.assert(
      fc.property(fc.array(content, { minLength: 1 }), contents => {
        const rows = place(7, 3, contents)
        const shaped = shapeRows(rows)
        const written = rows.map((row, index) => new ShapedRow(shaped[index] as never, row))
        expect(toChunks(written)).toEqual(toChunks(rows))
      }),
    )
  })

  it('unpacks any text into rows', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('\u001c', '\u001e', '\u001f', '1', '=', 'x') }), text => {
        for (const row of unpackRows(7, text)) expect(typeof row.body).toBe('string')
      }),
    )
  })

  it('unpacks rows that were packed before shapes existed', () => {
    fc.assert(
      fc.property(fc.array(content, { minLength: 1 }), contents => {
        const rows = place(7, 3, contents)
        const packed = rows.map(row => {
          const { seq, at, kind, request, agent, server, tool, variant, verdict, outcome, code } = row
          const columns = [seq, at, kind, request, agent, server, tool, variant, verdict, outcome, code]
          return [...columns, row.prev, row.hash, row.body].join('\u001f')
        })
        const text = packed.join('\u001e')
        expect(unpackRows(7, text)).toEqual(rows)
        expect(unpackRows(7, text, { shape: [packedField('agent:b')] })).toEqual(
          rows.filter(({ agent }) => agent === 'agent:b'),
        )
      }),
    )
  })

  it('limits every span to the length that a search covers', () => {
    const contents = Array.from({ length: 512 }, (_, index) => ({
      request: `p-${(index * 16).toString(36)}`,
    }))
    const spans = spansOf(contents)
    expect(spans).toHaveLength(1)
    expect((spans[0]?.last ?? 0) - (spans[0]?.first ?? 0)).toBeLessThanOrEqual(LONGEST)
    // A call from long ago must not extend the span of recent calls.
    expect(spansOf([{ request: 'p-1' }, { request: 'p-zz' }])).toHaveLength(2)
  })

  it('migrates the rows of an older version, each chain in its order', async () => {
    const file = join(folder, 'old.db')
    const old = openDatabase(file, { migrations: MIGRATIONS.slice(0, 7) })
    old.exec(`insert into audit_writers (id, name, started_at, place, pid, process_start, key_id, seen_at)
      values (1, 'a', 1, '', 1, '', '', 1), (2, 'b', 1, '', 1, '', '', 1)`)
    old.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
      insert into audit_rows (writer, seq, at, kind, request, agent, server, tool, variant, verdict, outcome, code, body,
        prev, hash)
      select 1 + i % 2, (i + 1) / 2, i, 'call', 'p-' || i, 'agent:a', 's', 't', 'read', 'allow', 'answered', '', '{}',
        'h' || ((i + 1) / 2 - 1), 'h' || ((i + 1) / 2) from n`)
    old.close()
    const store = openSqliteStore(file)
    const { rows } = await store.audit.read(undefined, 5000)
    expect(rows).toHaveLength(2500)
    for (const writer of [1, 2])
      expect(rows.filter(row => row.writer === writer).map(({ seq }) => seq)).toEqual(
        Array.from({ length: 1250 }, (_, index) => index + 1),
      )
    expect((await store.audit.find('p-77')).map(({ at }) => at)).toEqual([77])
    expect((await store.audit.check(undefined, 5000)).misfiled).toEqual([])
    const { calls } = await store.audit.query({ agent: 'agent:a', limit: 3 })
    expect(calls.map(({ ending }) => ending.at)).toEqual([2500, 2499, 2498])
    await store.close()
  })
})

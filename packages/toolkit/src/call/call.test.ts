import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { LogEntry } from '../index.ts'
import { Toolkit } from '../index.ts'
import { createTestClient } from '../testing/index.ts'

function createKit(log: LogEntry[] = []) {
  return new Toolkit({ name: 'kit', version: '1', log: entry => log.push(entry) })
}

describe('tool results', () => {
  const client = createTestClient(
    createKit().tool({
      name: 'answer',
      description: 'x',
      input: { as: z.enum(['object', 'list', 'markdown', 'html', 'image']) },
      execute(ctx, { as }) {
        if (as === 'object') return ctx.json({ a: 1 })
        if (as === 'list') return ctx.json([1, 2])
        if (as === 'image') return ctx.image(new Uint8Array([1, 2, 3]), 'image/png')
        return as === 'markdown' ? ctx.markdown('**x**') : ctx.html('<b>x</b>')
      },
    }),
  )

  it.each([
    ['object', { content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } }],
    ['list', { content: [{ type: 'text', text: '[1,2]' }] }],
    [
      'markdown',
      { content: [{ type: 'text', text: '**x**', _meta: { 'io.hintgate/mediaType': 'text/markdown' } }] },
    ],
    [
      'html',
      { content: [{ type: 'text', text: '<b>x</b>', _meta: { 'io.hintgate/mediaType': 'text/html' } }] },
    ],
    ['image', { content: [{ type: 'image', data: 'AQID', mimeType: 'image/png' }] }],
  ])('as %s', async (as, result) => {
    expect(await client.call('answer', { as })).toEqual(result)
  })
})

describe('arguments', () => {
  it('are reported by their full path when invalid', async () => {
    const input = { to: z.array(z.object({ address: z.email() })) }
    const kit = createKit().tool({ name: 'send', description: 'x', input, execute: ctx => ctx.text('') })
    const result = await createTestClient(kit).call('send', {
      to: [{ address: 'a@b.ch' }, { address: 'nobody' }],
    })
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('to[1].address: ') }],
    })
  })

  it('accept any Standard Schema that provides JSON Schema', async () => {
    const even: StandardSchemaV1<{ n: number }> & StandardJSONSchemaV1<{ n: number }> = {
      '~standard': {
        version: 1,
        vendor: 'own',
        validate: async value =>
          (value as { n: number }).n % 2 === 0
            ? { value: value as { n: number } }
            : { issues: [{ message: 'must be even', path: [{ key: 'n' }] }] },
        jsonSchema: {
          input: () => ({ type: 'object', properties: { n: { type: 'number' } } }),
          output: () => ({}),
        },
      },
    }
    const kit = createKit().tool({
      name: 'half',
      description: 'x',
      input: even,
      execute: (ctx, { n }) => ctx.json({ n: n / 2 }),
    })
    const client = createTestClient(kit)
    expect(client.tools[0]?.inputSchema).toEqual({ type: 'object', properties: { n: { type: 'number' } } })
    expect((await client.call('half', { n: 4 })).structuredContent).toEqual({ n: 2 })
    expect(await client.call('half', { n: 3 })).toMatchObject({
      content: [{ text: 'Invalid arguments for half: n: must be even' }],
    })
  })

  it('can be anything for a tool without arguments', async () => {
    const kit = createKit().tool({ name: 'now', description: 'x', execute: ctx => ctx.text('now') })
    expect(await createTestClient(kit).call('now', { random_string: '' })).toMatchObject({
      content: [{ text: 'now' }],
    })
  })
})

describe('a failing tool', () => {
  it('returns the message of ctx.fail, and no internal details', async () => {
    const log: LogEntry[] = []
    const kit = createKit(log).tool({
      name: 'read',
      description: 'x',
      input: { how: z.string() },
      execute(ctx, { how }) {
        if (how === 'softly') return ctx.fail('There is no such file.', { path: 'a' })
        throw new Error('ENOENT /srv/secret/a', { cause: 'disk' })
      },
    })
    const client = createTestClient(kit)
    expect(await client.call('read', { how: 'softly' })).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'There is no such file.' }],
      structuredContent: {
        error: { code: 'failed', message: 'There is no such file.', details: { path: 'a' } },
      },
    })
    expect(log).toEqual([])
    const result = await client.call('read', { how: 'hard' })
    expect(JSON.stringify(result)).not.toContain('secret')
    const [, reference] = /under ([0-9a-f]{8})/.exec(JSON.stringify(result)) ?? []
    expect(log).toMatchObject([
      {
        level: 'error',
        server: 'kit',
        tool: 'read',
        data: { reference, error: 'ENOENT /srv/secret/a', cause: 'disk' },
      },
    ])
  })

  it('does not return a result that violates its output schema', async () => {
    const log: LogEntry[] = []
    const kit = createKit(log).tool({
      name: 'count',
      description: 'x',
      output: { n: z.number() },
      execute: ctx => ctx.json({ n: 'many' }),
    })
    expect(await createTestClient(kit).call('count')).toMatchObject({ isError: true })
    expect(JSON.stringify(log)).toContain('n: expected number, received string')
  })
})

describe('effects', () => {
  const log: LogEntry[] = []
  const kit = createKit(log).tool({
    name: 'run_sql',
    description: 'x',
    input: { sql: z.string() },
    behavior: {
      operations: ['opaque'],
      readOnly: false,
      destructive: true,
      idempotent: false,
      openWorld: false,
    },
    effects({ sql }) {
      if (sql.startsWith('select')) return { operations: ['read'], readOnly: true, idempotent: true }
      if (sql === 'call remote') return { openWorld: true }
      if (sql === 'both') return { readOnly: true, destructive: true }
      if (sql === 'throw') throw new Error('cannot parse')
      return {}
    },
    execute: ctx => ctx.text('done'),
  })
  const effectsOf = async (sql: string) => (await createTestClient(kit).call('run_sql', { sql }))._meta

  it("can declare less than the tool's hints for one call", async () => {
    expect(await effectsOf('select 1')).toEqual({
      'io.hintgate/effects': {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
        operations: ['read'],
      },
    })
  })

  it('leave a call at the hints of the tool', async () => {
    expect(await effectsOf('drop table t')).toMatchObject({
      'io.hintgate/effects': { destructiveHint: true },
    })
  })

  it.each(['both', 'throw'])('that contradict themselves (%s) are ignored and logged', async sql => {
    log.splice(0)
    expect(await effectsOf(sql)).toBeUndefined()
    expect(log).toMatchObject([
      { level: 'warning', message: expect.stringContaining("the tool's hints apply") },
    ])
  })

  it('that exceed the hints are refused if no person can be asked', async () => {
    const result = await createTestClient(kit).call('run_sql', { sql: 'call remote' })
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'confirmation_required' } },
    })
    expect(JSON.stringify(result)).toContain('is open-world, which the tool does not declare')
  })

  it.each([
    [{ action: 'accept', content: { goOn: true } }, false],
    [{ action: 'accept', content: { goOn: false } }, true],
    [{ action: 'decline' }, true],
  ] as const)('that exceed the hints need approval: %j', async (answer, isRefused) => {
    const result = await createTestClient(kit, { answer: () => answer }).call('run_sql', {
      sql: 'call remote',
    })
    expect(result.isError ?? false).toBe(isRefused)
  })
})

describe('a question', () => {
  const kit = createKit().tool({
    name: 'book',
    description: 'x',
    async execute(ctx) {
      const seat = await ctx.elicit('Which seat?', { row: z.int() })
      return seat.action === 'accept' ? ctx.text(`row ${seat.content.row}`) : ctx.text(seat.action)
    },
  })

  it('is not asked if no client can answer', async () => {
    expect(await createTestClient(kit).call('book')).toMatchObject({ content: [{ text: 'unavailable' }] })
  })

  it('reports the field of an invalid answer', async () => {
    const client = createTestClient(kit, { answer: () => ({ action: 'accept', content: { row: 'front' } }) })
    expect(await client.call('book')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('row:') }],
    })
  })

  it('returns a typed answer', async () => {
    const client = createTestClient(kit, { answer: () => ({ action: 'accept', content: { row: 7 } }) })
    expect(await client.call('book')).toMatchObject({ content: [{ text: 'row 7' }] })
  })
})

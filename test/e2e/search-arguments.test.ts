import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { type Json, LegacyClient, type Message, Reply, refusalOf, textOf } from '../support/raw-mcp.ts'
import { READS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import {
  callsSeenBy,
  connect,
  dataOf,
  ERAS,
  EVERYTHING,
  refusal,
  searchUrl,
} from '../support/search-client.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const BOOKING = {
  type: 'object',
  properties: {
    date: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
    seats: { type: 'integer', minimum: 1, maximum: 9 },
    class: { enum: ['first', 'second'] },
    guests: { type: 'array', items: { $ref: '#/$defs/guest' }, maxItems: 3 },
    account: { type: 'integer' },
  },
  required: ['date'],
  additionalProperties: false,
  $defs: {
    guest: { type: 'object', properties: { name: { type: 'string', minLength: 1 } }, required: ['name'] },
  },
}

/** Each doubles the work of the one before. */
const DOUBLING = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [
    `d${at}`,
    at === 0
      ? { type: 'object' }
      : { allOf: [{ $ref: `#/$defs/d${at - 1}` }, { $ref: `#/$defs/d${at - 1}` }] },
  ]),
)

/** Schemas and arguments made to take exponential time. */
const HOSTILE: readonly (readonly [name: string, schema: Json, args: Json])[] = [
  ['nested_plus', { properties: { x: { type: 'string', pattern: '^(a+)+$' } } }, { x: `${'a'.repeat(60)}!` }],
  [
    'nested_long',
    { properties: { x: { type: 'string', pattern: '^(a|a)*$' } } },
    { x: `${'a'.repeat(50_000)}!` },
  ],
  ['backtrack', { properties: { x: { pattern: '(x+x+)+y' } } }, { x: 'x'.repeat(40_000) }],
  ['names', { patternProperties: { '^(([a-z])+.)+[A-Z]([a-z])+$': false } }, { ['a'.repeat(200)]: 1 }],
  ['doubling', { $defs: DOUBLING, $ref: '#/$defs/d39' }, { x: 1 }],
  ['loop', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, { x: 1 }],
  [
    'unique',
    { properties: { x: { uniqueItems: true } } },
    { x: Array.from({ length: 20_000 }, (_, n) => ({ n })) },
  ],
]

let witness: Witness
let gateway: Gateway
let token: string

beforeAll(async () => {
  witness = await openWitness()
  const book = [
    scripted('book', { inputSchema: BOOKING, annotations: WRITES }),
    scripted('look', { inputSchema: BOOKING, annotations: READS }),
  ]
  const servers = [
    new ScriptedServer('forms', witness, book),
    new ScriptedServer('forms2026', witness, book, { era: 'modern' }),
    new ScriptedServer('lax', witness, book, { more: { checkArguments: false } }),
    new ScriptedServer(
      'hostile',
      witness,
      HOSTILE.map(([name, schema]) => scripted(name, { inputSchema: { type: 'object', ...schema } })),
    ),
  ]
  gateway = await startReadyGateway({
    mcpServers: Object.fromEntries(servers.map(server => [server.name, server.config])),
  })
  token = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

async function seenBy(server: string) {
  const direct = await connect(gateway.endpoint(), token)
  return callsSeenBy(server, witness, args => direct.call(`${server}__echo`, args))
}

const WRONG: readonly (readonly [field: string, expected: RegExp, args: Json])[] = [
  ['date', /"date".*missing/, {}],
  ['date', /pattern/, { date: 'tomorrow' }],
  ['date', /string/, { date: 20261115 }],
  ['seats', /9/, { date: '2026-11-15', seats: 10 }],
  ['seats', /integer|whole/, { date: '2026-11-15', seats: 1.5 }],
  ['class', /"first".*"second"/, { date: '2026-11-15', class: 'third' }],
  ['guests[1].name', /character/, { date: '2026-11-15', guests: [{ name: 'Ada' }, { name: '' }] }],
  ['guests', /3/, { date: '2026-11-15', guests: ['A', 'B', 'C', 'D'].map(name => ({ name })) }],
  ['seat', /"seat".*"seats"/, { date: '2026-11-15', seat: 2 }],
]

/** How to call `book` of a server over every surface. */
type Door = (server: string, args: Json, era: (typeof ERAS)[number]) => Promise<Message>
const DOORS: Readonly<Record<string, Door>> = {
  'the search surface': async (server, args, era) =>
    (await connect(searchUrl(gateway), token, era)).call('call_tool_write', { name: `${server}:book`, args }),
  'the direct surface': async (server, args, era) =>
    (await connect(gateway.endpoint(), token, era)).call(`${server}__book`, args),
  'the surface of the server': async (server, args, era) =>
    (await connect(gateway.endpoint(server), token, era)).call('book', args),
}

describe.each(Object.entries(DOORS))('on %s', (_name, call) => {
  it.each(ERAS.flatMap(era => ['forms', 'forms2026'].map(server => [era, server] as const)))(
    'a %s client is told the problem, and %s gets no call',
    async (era, server) => {
      const before = await seenBy(server)
      for (const [field, expected, args] of WRONG) {
        const error = refusal(await call(server, args, era))
        expect([error.code, error.field, error.verdict], JSON.stringify(args)).toEqual([
          'invalid_arguments',
          field,
          'deny',
        ])
        expect(error.expected).toMatch(expected)
        expect(error.message).toContain(error.expected)
        expect(error.schema).toBeTypeOf('object')
        expect(error.remedy).toContain(JSON.stringify(error.schema))
      }
      expect(await seenBy(server)).toEqual(before)
    },
  )

  it.each(ERAS)('valid arguments of a %s client pass unchanged', async era => {
    const args = { date: '2026-11-15', seats: 9, class: 'first', guests: [{ name: 'Ada', age: 36 }] }
    for (const server of ['forms', 'forms2026'])
      expect(JSON.parse(textOf(await call(server, args, era)))).toMatchObject({ server, arguments: args })
  })

  it('a server without argument checks gets any arguments', async () => {
    const args = { date: 7, nonsense: true }
    expect(JSON.parse(textOf(await call('lax', args, 'modern')))).toMatchObject({
      server: 'lax',
      arguments: args,
    })
  })
})

describe('the refusal of invalid arguments', () => {
  it('shows only the violated part of the schema', async () => {
    const client = await connect(searchUrl(gateway), token)
    const args = { date: '2026-11-15', seats: 10 }
    const error = refusal(await client.call('call_tool_write', { name: 'forms:book', args }))
    expect(error.schema).toEqual(BOOKING.properties.seats)
    expect([error.tool, error.variant]).toEqual(['forms:book', 'call_tool_write'])
  })

  it('comes after the permission check, so a caller without permission does not learn the schema', async () => {
    const reader = await gateway.site.token({ permissions: 'retrieve_tools,read' })
    const client = await connect(searchUrl(gateway), reader)
    const answer = await client.call('call_tool_read', { name: 'forms:book', args: { seats: 10 } })
    expect(refusal(answer).code).toBe('permission_denied')
    expect(JSON.stringify(answer)).not.toContain('maximum')
  })

  it('of one call in a batch does not affect the others', async () => {
    const client = await connect(searchUrl(gateway), token)
    const before = (await seenBy('forms')).length
    const calls = [
      { name: 'forms:look', args: { date: '2026-11-15' } },
      { name: 'forms:look', args: { date: 'tomorrow' } },
      { name: 'forms:look', args: { date: '2026-11-16' } },
    ]
    const { results } = dataOf<{ results: Json[] }>(await client.call('call_tools_read', { calls }))
    expect(results).toMatchObject([
      { ok: true },
      { ok: false, error: { code: 'invalid_arguments', field: 'date' } },
      { ok: true },
    ])
    const seen = (await seenBy('forms')).slice(before).map(({ arguments: args }) => args?.date)
    expect(new Set(seen)).toEqual(new Set(['2026-11-15', '2026-11-16']))
  })
})

describe('large numbers', () => {
  it('pass with every digit', async () => {
    const digits = '12345678901234567890123'
    for (const [url, name, args] of [
      [
        searchUrl(gateway),
        'call_tool_write',
        `{"name":"forms:book","args":{"date":"2026-11-15","account":${digits}}}`,
      ],
      [gateway.endpoint(), 'forms__book', `{"date":"2026-11-15","account":${digits}}`],
    ] as const) {
      const client = await new LegacyClient(url, token).initialize()
      const body = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`
      const answer = await new Reply(url, { body, headers: client.headers }).answer()
      expect(answer.result?.isError).not.toBe(true)
    }
    await seenBy('forms')
    const seen = witness.of('forms').filter(({ raw }) => raw?.includes(`"account":${digits}`))
    expect(seen).toHaveLength(2)
  })
})

describe('a schema made to take exponential time', () => {
  it.each(HOSTILE)('%s is stopped without delaying other calls', async (name, _schema, args) => {
    const attacker = await connect(searchUrl(gateway), token)
    const neighbour = await connect(searchUrl(gateway), token, 'legacy')
    const passed = startWatch(gateway.pid)
    const slow = attacker.call('call_tool_read', { name: `hostile:${name}`, args })
    const meanwhile = await neighbour.call('call_tool_read', { name: 'forms:echo', args: { name } })
    expect(textOf(meanwhile)).toContain(name)
    expect(passed()).toBeLessThan(3000)
    const answer = await slow
    expect(passed()).toBeLessThan(5000)
    expect([undefined, 'invalid_arguments']).toContain(refusalOf(answer))
  })
})

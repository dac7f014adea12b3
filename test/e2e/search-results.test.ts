import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { CLOCK, letAnHourPass } from '../support/clock.ts'
import { type Gateway, startGatewayAt, startReadyGateway } from '../support/gateway.ts'
import { type Json, type Message, textOf } from '../support/raw-mcp.ts'
import { type Page, readPages, readWhole } from '../support/read-whole.ts'
import { DESTROYS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import {
  type Client,
  connect,
  dataOf,
  ERAS,
  EVERYTHING,
  markOf,
  refusal,
  searchUrl,
} from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const LIMIT = 4000
const text = (value: string): Json => ({ type: 'text', text: value })
const LONG = Array.from({ length: 900 }, (_, n) => `Zeile ${n}: Grüße 日本語 🦉 "quoted" \\ \t.`).join('\n')
const ROWS = Array.from({ length: 400 }, (_, id) => ({
  id,
  name: `row ${id} 🦉`,
  tags: ['a', null, { deep: id / 3 }],
}))
const IMAGE = { type: 'image', data: Buffer.alloc(9000, 7).toString('base64'), mimeType: 'image/png' }

/** Results that are too long for one answer, of every kind. */
const RESULTS: Readonly<Record<string, Json>> = {
  text: { content: [text(LONG)] },
  texts: {
    content: [text('short'), text(LONG), text(''), text(LONG.slice(0, 9000))],
    _meta: { 'com.example/k': 1 },
  },
  rows: {
    content: [text(JSON.stringify(ROWS))],
    structuredContent: { rows: ROWS, total: 400, 'a/b~c': LONG },
  },
  nested: {
    content: [],
    structuredContent: { pages: [ROWS.slice(0, 90), [LONG, { again: ROWS.slice(90, 180) }]], end: true },
  },
  image: { content: [text('Here it is.'), IMAGE, text('That was it.')] },
  images: { content: [IMAGE, IMAGE, { ...IMAGE, mimeType: 'image/gif' }], structuredContent: { count: 3 } },
  resource: {
    content: [{ type: 'resource', resource: { uri: 'test://long', mimeType: 'text/plain', text: LONG } }],
  },
  failed: { content: [text(LONG)], isError: true },
  future: {
    content: [{ type: 'hologram', planes: ROWS }],
    futureField: { list: ROWS },
    structuredContent: { ok: 1 },
  },
  many: { content: Array.from({ length: 700 }, (_, n) => text(`block ${n}`)) },
}

let witness: Witness
let gateway: Gateway
let token: string
let server: ScriptedServer

const TOOLS = [
  ...Object.entries(RESULTS).map(([name, result]) => scripted(name, {}, { result })),
  scripted('short', {}, { result: { content: [text('x'.repeat(LIMIT - 200))] } }),
  scripted('written', { annotations: WRITES }, { result: { content: [text(LONG)] } }),
  scripted('destroyed', { annotations: DESTROYS }, { result: { content: [text(LONG)] } }),
]

beforeAll(async () => {
  witness = await openWitness()
  server = new ScriptedServer('long', witness, TOOLS)
  const modern = new ScriptedServer('long2026', witness, TOOLS, { era: 'modern' })
  gateway = await startReadyGateway({
    mcpServers: { long: server.config, long2026: modern.config },
    limits: { answer: LIMIT },
  })
  token = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

const open = (era: (typeof ERAS)[number] = 'modern'): Promise<Client> =>
  connect(searchUrl(gateway), token, era)
const read = (client: Client, name: string): Promise<Message> => client.call('call_tool_read', { name })

/** Members that the protocol revision adds to every result. */
function bare(result: unknown): unknown {
  const { resultType: _, ...rest } = result as Json
  return rest
}

describe.each(ERAS)('a result that is too long, for a %s client', era => {
  it.each(Object.keys(RESULTS).flatMap(name => ['long', 'long2026'].map(from => [name, from] as const)))(
    'is read completely and unchanged: %s of %s',
    async (name, from) => {
      const client = await open(era)
      const first = await read(client, `${from}:${name}`)
      const mark = markOf(first)
      expect(JSON.stringify(first.result).length).toBeLessThan(LIMIT + 500)
      expect(first.result?.isError).toBe(RESULTS[name]?.isError)
      expect(JSON.stringify(first.result?.content)).toContain(mark.handle)
      const { pages, whole } = await readWhole(client, mark.handle)
      expect(bare(whole)).toEqual(RESULTS[name])
      for (const page of pages)
        expect((page.text ?? JSON.stringify(page.items ?? page.members ?? '')).length).toBeLessThanOrEqual(
          LIMIT,
        )
    },
  )

  it('starts at its beginning, and `next` continues where that ended', async () => {
    const client = await open(era)
    const first = await read(client, 'long:text')
    const { handle, next } = markOf(first)
    const beginning = textOf(first)
    expect(beginning.length).toBeGreaterThan(LIMIT / 3)
    const rest = await readPages(client, handle, { cursor: next })
    expect(beginning + rest.map(message => dataOf<Page>(message).text).join('')).toBe(LONG)
  })

  it('shows short blocks first: text around an image, with the image on its own page', async () => {
    const client = await open(era)
    const first = await read(client, 'long:image')
    expect(first.result?.content).toMatchObject([
      { text: 'Here it is.' },
      { text: 'That was it.' },
      { type: 'text' },
    ])
    const page = await client.call('read_result', { handle: markOf(first).handle, part: '/content/1' })
    expect(page.result?.content).toEqual([IMAGE, expect.anything()])
  })

  it('returns rows by page, as many as requested', async () => {
    const client = await open(era)
    const { handle } = markOf(await read(client, 'long:rows'))
    const part = '/structuredContent/rows'
    const page = dataOf<Page>(await client.call('read_result', { handle, part, limit: 7 }))
    expect(page).toMatchObject({ part, unit: 'items', total: 400, offset: 0, items: ROWS.slice(0, 7) })
    const more = dataOf<Page>(await client.call('read_result', { handle, cursor: page.next, limit: 3 }))
    expect(more).toMatchObject({ offset: 7, items: ROWS.slice(7, 10) })
    const all = await readPages(client, handle, { part })
    expect(all.flatMap(message => dataOf<Page>(message).items)).toEqual(ROWS)
  })
})

describe('a long result', () => {
  it('of a write or destructive call can be paged too', async () => {
    const client = await open()
    for (const [variant, name] of [
      ['call_tool_write', 'written'],
      ['call_tool_destructive', 'destroyed'],
    ] as const) {
      const first = await client.call(variant, { name: `long:${name}` })
      expect((await readWhole(client, markOf(first).handle)).whole).toMatchObject({ content: [text(LONG)] })
    }
  })

  it('in a batch has its own handle', async () => {
    const client = await open()
    const calls = ['long:text', 'long:short', 'long2026:rows'].map(name => ({ name }))
    const { results } = dataOf<{ results: { result: Message['result'] }[] }>(
      await client.call('call_tools_read', { calls }),
    )
    const [one, short, two] = results.map(({ result }): Message => (result === undefined ? {} : { result }))
    expect(JSON.stringify(short)).not.toContain('io.hintgate/result')
    expect(bare((await readWhole(client, markOf(one ?? {}).handle)).whole)).toEqual(RESULTS.text)
    expect(bare((await readWhole(client, markOf(two ?? {}).handle)).whole)).toEqual(RESULTS.rows)
  })

  it('is not cut on surfaces without read_result', async () => {
    for (const [url, name] of [
      [gateway.endpoint(), 'long__rows'],
      [gateway.endpoint('long'), 'rows'],
    ] as const) {
      const answer = await (await connect(url, token)).call(name)
      expect(answer.result?.structuredContent).toEqual(RESULTS.rows?.structuredContent)
    }
  })

  it('that fits one answer is unchanged', async () => {
    const answer = await read(await open(), 'long:short')
    expect(answer.result?.content).toEqual([text('x'.repeat(LIMIT - 200))])
    expect(JSON.stringify(answer)).not.toContain('io.hintgate/result')
  })
})

describe('a handle', () => {
  it('works for its owner only and is unknown to others', async () => {
    const client = await open()
    const { handle, next } = markOf(await read(client, 'long:text'))
    const thief = await connect(searchUrl(gateway), await gateway.site.token({ permissions: EVERYTHING }))
    const guess = `res_${'A'.repeat(22)}`
    for (const more of [{}, { cursor: next }, { part: '/content/0/text' }, { limit: 5 }]) {
      const stolen = await thief.call('read_result', { handle, ...more })
      const guessed = await thief.call('read_result', { handle: guess, ...more })
      expect(refusal(stolen).code).toBe('invalid_arguments')
      expect(stolen.result).toEqual(guessed.result)
    }
    expect(dataOf<Page>(await client.call('read_result', { handle })).offset).toBe(0)
    // Another session of the same agent, in another era, is the same owner.
    expect(bare((await readWhole(await open('legacy'), handle)).whole)).toEqual(RESULTS.text)
  })

  it('with a wrong cursor or part says which is wrong', async () => {
    const client = await open()
    const [mine, other] = [markOf(await read(client, 'long:text')), markOf(await read(client, 'long:rows'))]
    const field = async (args: Json): Promise<string | undefined> =>
      refusal(await client.call('read_result', { handle: mine.handle, ...args })).field
    expect(await field({ cursor: other.next })).toBe('cursor')
    expect(await field({ cursor: `${mine.next}x` })).toBe('cursor')
    expect(await field({ part: '/structuredContent' })).toBe('part')
    expect(await field({ handle: 'res_short' })).toBe('handle')
    expect(await field({ handle: '../../etc/passwd' })).toBe('handle')
  })

  it('counts against the rate limit of its token', async () => {
    const slow = await gateway.site.token({ permissions: EVERYTHING, rate: '3/h' })
    const client = await connect(searchUrl(gateway), slow)
    const { handle } = markOf(await read(client, 'long:text'))
    for (const limit of [1, 2])
      expect(dataOf<Page>(await client.call('read_result', { handle, limit })).offset).toBe(0)
    const { code, remedy } = refusal(await client.call('read_result', { handle }))
    expect(code).toBe('rate_limited')
    expect(remedy).toMatch(/^Wait \d+ s/)
    expect(refusal(await read(client, 'long:text')).code).toBe('rate_limited')
  })

  it('expires', async () => {
    const brief = await startReadyGateway(
      {
        mcpServers: { long: server.config },
        limits: { answer: LIMIT, kept: '59m' },
      },
      { env: CLOCK },
    )
    const client = await connect(searchUrl(brief), await brief.site.token({ permissions: EVERYTHING }))
    const { handle } = markOf(await read(client, 'long:text'))
    expect(dataOf<Page>(await client.call('read_result', { handle })).offset).toBe(0)
    const unknown = await client.call('read_result', { handle: `res_${'B'.repeat(22)}` })
    await letAnHourPass(brief)
    expect((await client.call('read_result', { handle })).result).toEqual(unknown.result)
    await brief.stop()
  })

  it('is not issued without storage space, and the caller is told', async () => {
    const limits = { answer: LIMIT, keptPerPrincipal: '10kb' }
    const full = await startReadyGateway({ mcpServers: { long: server.config }, limits })
    const client = await connect(searchUrl(full), await full.site.token({ permissions: EVERYTHING }))
    const error = refusal(await client.call('call_tool_write', { name: 'long:written' }))
    expect(error.code).toBe('result_too_large')
    expect(error.remedy).toMatch(/executed/)
    await full.stop()
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'still works after the gateway was stopped with %s and restarted',
    async signal => {
      const before = await startReadyGateway({
        mcpServers: { long: server.config },
        limits: { answer: LIMIT },
      })
      const mine = await before.site.token({ permissions: EVERYTHING })
      const client = await connect(searchUrl(before), mine)
      const first = await read(client, 'long:rows')
      const { handle, next } = markOf(first)
      const page = dataOf<Page>(await client.call('read_result', { handle, cursor: next }))
      const last = markOf(await read(client, 'long:text'))
      // Immediately: an answered result must already be durable.
      await before.stop(signal)
      const after = await startGatewayAt(before.site)
      const again = await connect(searchUrl(after), mine)
      expect(dataOf<Page>(await again.call('read_result', { handle, cursor: next }))).toEqual(page)
      expect(bare((await readWhole(again, handle)).whole)).toEqual(RESULTS.rows)
      expect(bare((await readWhole(again, last.handle)).whole)).toEqual(RESULTS.text)
      const thief = await connect(searchUrl(after), await after.site.token({ permissions: EVERYTHING }))
      expect(refusal(await thief.call('read_result', { handle })).field).toBe('handle')
      await after.stop()
    },
  )
})

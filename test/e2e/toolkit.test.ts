import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { listenIn } from '../support/listen-in.ts'
import { address, type Running, run } from '../support/processes.ts'
import { type Json, send } from '../support/raw-mcp.ts'
import {
  type Generation,
  SDK_V1,
  SDK_V2_AUTO,
  SDK_V2_LEGACY,
  type SdkClient,
} from '../support/sdk-clients.ts'

/** Six hundred requests at once, on a machine that may be busy. */
const LONG_MS = 100_000

const SHOWCASE = fileURLToPath(new URL('../../examples/showcase-server.mjs', import.meta.url))

afterAll(cleanUp)

type Transport = 'a pipe' | 'HTTP'

let http: { running: Running; url: string } | undefined

/** One server for all clients over HTTP, as in production. */
async function httpServer(): Promise<{ running: Running; url: string }> {
  if (http === undefined) {
    const running = run(process.execPath, [SHOWCASE, '--http', '--port', '0'])
    http = { running, url: await address(running) }
  }
  return http
}

let questions: string[] = []
afterEach(() => {
  questions = []
})

async function connect(
  generation: Generation,
  transport: Transport,
  answers: Json[] = [],
): Promise<SdkClient & { readonly heard: readonly Json[] }> {
  const client = await generation.create({ capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler(await generation.schema('elicitation/create'), ({ params }) => {
    questions.push(String(params.message))
    return answers.shift() ?? { action: 'cancel' }
  })
  const opened =
    transport === 'HTTP'
      ? await generation.http((await httpServer()).url, 'none')
      : await generation.stdio(process.execPath, [SHOWCASE])
  await client.connect(opened)
  return Object.assign(client, { heard: listenIn(opened) })
}

const text = (result: Json): string | undefined => (result.content as { text?: string }[])[0]?.text
const accept = (content: Json): Json => ({ action: 'accept', content })

const WAYS = [SDK_V1, SDK_V2_LEGACY, SDK_V2_AUTO].flatMap(generation =>
  (['a pipe', 'HTTP'] as const).map(transport => ({ generation, transport, name: generation.name })),
)

describe.each(WAYS)('a toolkit, used by $name over $transport', ({ generation, transport }) => {
  it('lists tools, calls, previews and reads', async () => {
    const client = await connect(generation, transport)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('preview_set_limit')
    expect(tools.find(({ name }) => name === 'set_limit')?.annotations).toEqual({
      title: 'Set limit',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    })
    const greeted = await client.callTool({ name: 'greet', arguments: { name: 'Ada', loudly: true } })
    expect(greeted.structuredContent).toEqual({ greeting: 'Hello, Ada!' })
    const preview = await client.callTool({ name: 'preview_set_limit', arguments: { limit: 7 } })
    expect(text(preview)).toBe('Would change the limit from 10 to 7')
    expect((await client.readResource({ uri: 'showcase://limits' })).contents).toEqual([
      { uri: 'showcase://limits', mimeType: 'application/json', text: '{"upload":10}' },
    ])
    expect((await client.readResource({ uri: 'showcase://limits/upload' })).contents).toMatchObject([
      { text: '10' },
    ])
    expect((await client.getPrompt({ name: 'review', arguments: { what: 'this' } })).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Review this, please.' } },
    ])
    const drawn = await client.callTool({ name: 'draw', arguments: { as: 'image' } })
    expect(drawn.content).toMatchObject([{ type: 'image', mimeType: 'image/png' }])
    await client.close()
  })

  it('reports the invalid field, and hides internal errors', async () => {
    const client = await connect(generation, transport)
    const wrong = await client.callTool({ name: 'greet', arguments: { name: 7 } })
    expect(wrong.isError).toBe(true)
    expect(text(wrong)).toBe('Invalid arguments for greet: name: expected string, received number')
    const failed = await client.callTool({ name: 'explode', arguments: {} })
    expect(failed.isError).toBe(true)
    expect(text(failed)).toMatch(/^explode failed\. Details are in the server log under [0-9a-f]{8}\.$/)
    expect(JSON.stringify(failed)).not.toContain('hunter2')
    await client.close()
  })

  it('asks twice in one call, and continues with the answers', async () => {
    const client = await connect(generation, transport, [accept({ size: 'large' }), accept({ name: 'Ada' })])
    const result = await client.callTool({ name: 'order_coffee', arguments: {} })
    expect(text(result)).toBe('a large coffee for Ada')
    expect(questions).toEqual(['Which size?', 'In whose name?'])
    await client.close()
  })

  it('asks a person before a call that does more than its hints declare', async () => {
    const lift = { name: 'set_limit', arguments: { limit: null } }
    const client = await connect(generation, transport, [{ action: 'decline' }])
    const refused = await client.callTool(lift)
    expect(questions[0]).toMatch(
      /^With these arguments Set limit is destructive, which the tool does not declare/,
    )
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'confirmation_denied' } },
    })
    const limits = await client.readResource({ uri: 'showcase://limits' })
    expect(limits.contents).toMatchObject([{ text: '{"upload":10}' }])
    const harmless = await client.callTool({ name: 'set_limit', arguments: { limit: 10 } })
    expect(harmless._meta).toMatchObject({
      'io.hintgate/effects': { destructiveHint: false, idempotentHint: true },
    })
    await client.close()
  })

  it('reports progress', async () => {
    const client = await connect(generation, transport)
    const options = generation.callOptions({ onprogress: () => {} })
    await client.callTool({ name: 'wait', arguments: { steps: 3 } }, ...options)
    expect(client.heard).toMatchObject(
      [1, 2, 3].map(progress => ({ progress, total: 3, message: `step ${progress}` })),
    )
    await client.close()
  })

  it('stops 200 concurrent calls when they are cancelled, and keeps working', async () => {
    const client = await connect(generation, transport)
    const counts = async () =>
      (await client.callTool({ name: 'get_counts', arguments: {} })).structuredContent as Json
    const before = await counts()
    const calls = Array.from({ length: 200 }, () => new AbortController())
    const endings = calls.map(({ signal }) =>
      client
        .callTool(
          { name: 'wait', arguments: { steps: 1000, stepMs: 100 } },
          ...generation.callOptions({ signal }),
        )
        .then(
          () => 'answered',
          () => 'cancelled',
        ),
    )
    await expect.poll(counts, { timeout: LONG_MS }).toMatchObject({ running: 200 })
    for (const call of calls) call.abort()
    expect(new Set(await Promise.all(endings))).toEqual(new Set(['cancelled']))
    await expect
      .poll(counts, { timeout: LONG_MS })
      .toEqual({ running: 0, cancelled: Number(before.cancelled) + 200, finished: before.finished })
    const greeted = await client.callTool({ name: 'greet', arguments: { name: 'Ada' } })
    expect(text(greeted)).toContain('Hello, Ada.')
    await client.close()
  })
})

describe('a toolkit over HTTP', () => {
  it('logs internal errors, and no warnings', async () => {
    const { running } = await httpServer()
    const line = await running.stderr.until(entry => entry.includes('hunter2'))
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      server: 'showcase',
      tool: 'explode',
      message: 'failed',
    })
    expect(running.stderr.items.join('\n')).not.toMatch(/MaxListeners|Warning/)
  })

  it('logs that a call was cancelled', async () => {
    const { running } = await httpServer()
    const line = await running.stderr.until(entry => entry.includes('"cancelled by the caller"'))
    expect(JSON.parse(line)).toMatchObject({ level: 'info', tool: 'wait' })
  })

  const ping = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })

  it.each([
    ['a foreign web page', { ...ping, origin: 'https://evil.example' }, 403],
    ['a name that is not its own', { ...ping, host: 'evil.example' }, 403],
    ['a session that never was', { ...ping, 'mcp-session-id': 'made-up' }, 404],
  ])('refuses %s', async (_, headers, status) => {
    const { url } = await httpServer()
    expect((await send(url, { body, headers })).status).toBe(status)
  })

  it('refuses a body that is too large or not JSON', async () => {
    const { url } = await httpServer()
    expect((await send(url, { body: '{', headers: ping })).status).toBe(400)
    expect((await send(url, { body: 'x'.repeat(5 * 1024 * 1024), headers: ping })).status).toBe(413)
  })

  it('requires the token that it was started with', async () => {
    const running = run(process.execPath, [SHOWCASE, '--port', '0'], { env: { MCP_TOKEN: 'secret-1' } })
    const url = await address(running)
    const statuses = [{}, { authorization: 'Bearer wrong' }, { authorization: 'Bearer secret-1' }].map(
      async headers => (await send(url, { body, headers: { ...ping, ...headers } })).status,
    )
    const [none, wrong, right] = await Promise.all(statuses)
    expect([none, wrong]).toEqual([401, 401])
    expect(right).not.toBe(401)
  })

  it('does not listen on non-loopback addresses without a token', async () => {
    const running = run(process.execPath, [SHOWCASE, '--http', '--host', '0.0.0.0', '--port', '0'])
    expect(await running.exited).toBe(1)
    expect(running.stderr.items.join('\n')).toContain('set MCP_TOKEN')
  })

  it('exits on a signal', async () => {
    const running = run(process.execPath, [SHOWCASE, '--http', '--port', '0'])
    await address(running)
    expect(await running.stop()).toBe(0)
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { listenIn } from '../support/listen-in.ts'
import { fixtureFile, modernNode, peerFile } from '../support/peers.ts'
import { run } from '../support/processes.ts'
import type { Json } from '../support/raw-mcp.ts'
import {
  connectAgentFramework,
  type Generation,
  SDK_V1,
  SDK_V2_AUTO,
  SDK_V2_LEGACY,
  type SdkClient,
} from '../support/sdk-clients.ts'
import { StdioClient } from '../support/stdio-client.ts'

const BIN = fileURLToPath(new URL('../../packages/gateway/bin/hintgate.js', import.meta.url))
const SERVERS = ['old', 'new'] as const

let gateway: Gateway
let token: string

beforeAll(async () => {
  const fixture = (era: string): Json => ({
    command: process.execPath,
    args: [fixtureFile(), '--stdio', '--era', era],
    trust: 'trusted',
  })
  gateway = await startReadyGateway({ mcpServers: { old: fixture('legacy'), new: fixture('modern') } })
  token = await gateway.site.token()
})
afterAll(cleanUp)

const ABLE = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } }
const SAMPLE = {
  role: 'assistant',
  content: { type: 'text', text: 'Paris' },
  model: 'm',
  stopReason: 'endTurn',
}
const ADA = { action: 'accept', content: { username: 'Ada', email: 'ada@example.test' } }

async function create(generation: Generation): Promise<SdkClient> {
  const client = await generation.create({ capabilities: ABLE })
  client.setRequestHandler(await generation.schema('elicitation/create'), () => ADA)
  client.setRequestHandler(await generation.schema('sampling/createMessage'), () => SAMPLE)
  client.setRequestHandler(await generation.schema('roots/list'), () => ({ roots: [{ uri: 'file:///srv' }] }))
  return client
}

const text = (result: Json): string | undefined => (result.content as { text?: string }[])[0]?.text

describe.each([SDK_V1, SDK_V2_LEGACY, SDK_V2_AUTO])('a client of $name', generation => {
  const stdio = (...flags: string[]) =>
    generation.stdio(process.execPath, [BIN, 'stdio', ...gateway.site.flags, ...flags])

  it.each(SERVERS)('uses everything that the %s server offers, over HTTP', async server => {
    const client = await create(generation)
    const transport = await generation.http(gateway.endpoint(server), token)
    await client.connect(transport)
    await useEverything(client, generation, listenIn(transport))
    await client.close()
  })

  it.each(SERVERS)('uses everything that the %s server offers, over a pipe', async server => {
    const client = await create(generation)
    const transport = await stdio('--server', server)
    await client.connect(transport)
    await useEverything(client, generation, listenIn(transport))
    await client.close()
  })

  it('finds all servers at one endpoint, over HTTP and over a pipe', async () => {
    for (const transport of [await generation.http(gateway.endpoint(), token), await stdio('--direct')]) {
      const client = await create(generation)
      await client.connect(transport)
      const names = async () => (await client.listTools()).tools.map(tool => tool.name)
      const wanted = SERVERS.map(server => `${server}__test_simple_text`)
      await expect.poll(names).toEqual(expect.arrayContaining(wanted))
      for (const server of SERVERS) {
        const result = await client.callTool({ name: `${server}__test_simple_text`, arguments: {} })
        expect(text(result)).toBe('This is a simple text response for testing.')
      }
      await client.close()
    }
  })

  it('finds the tools at its first request over a pipe, although the servers have just started', async () => {
    const client = await create(generation)
    await client.connect(await stdio('--direct'))
    const names = (await client.listTools()).tools.map(tool => tool.name)
    await client.close()
    expect(names).toEqual(expect.arrayContaining(SERVERS.map(server => `${server}__test_simple_text`)))
  })

  it('is refused without a valid token', async () => {
    const client = await create(generation)
    await expect(
      client.connect(await generation.http(gateway.endpoint('old'), `hg_agent_${'x'.repeat(43)}`)),
    ).rejects.toThrow(/401|unauthori[sz]ed|token/i)
  })
})

async function useEverything(
  client: SdkClient,
  generation: Generation,
  steps: readonly Json[],
): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools[0]?.name).toBe('test_simple_text')
  expect(tools[0]?.annotations).toMatchObject({ readOnlyHint: true })
  const call = (name: string, args: Json = {}, options: Json = {}): Promise<Json> =>
    client.callTool({ name, arguments: args }, ...generation.callOptions(options))
  expect(text(await call('test_simple_text'))).toBe('This is a simple text response for testing.')
  expect(await call('test_multiple_content_types')).toMatchObject({
    content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png' }, { type: 'resource' }],
  })
  expect(await call('test_error_handling')).toMatchObject({ isError: true })
  await call('test_tool_with_progress', {}, { onprogress: () => {} })
  expect(steps.map(({ progress }) => progress)).toEqual([0, 50, 100])
  expect(text(await call('test_elicitation', { message: 'Who?' }))).toContain('"username":"Ada"')
  expect(text(await call('test_sampling', { prompt: 'Capital?' }))).toBe('LLM response: Paris')
  expect(text(await call('test_input_required_result_multi_round'))).toBeDefined()
  expect(text(await call('test_x_mcp_header', { region: 'zürich', priority: 3 }))).toContain('zürich')
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('test://static-text')
  expect((await client.readResource({ uri: 'test://static-text' })).contents).toHaveLength(1)
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('test_simple_prompt')
  const prompt = { name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } }
  expect((await client.getPrompt(prompt)).messages).toHaveLength(1)
  const ref = { type: 'ref/prompt', name: prompt.name }
  const { completion } = await client.complete({ ref, argument: { name: 'arg1', value: 'par' } })
  expect(completion.values).toEqual(['paris', 'park', 'party'])
}

describe('the client of an agent framework', () => {
  it.each([...SERVERS, undefined])('lists and calls the tools of %s', async server => {
    const client = await connectAgentFramework(gateway.endpoint(server), token)
    const tools = await client.tools()
    const name = server === undefined ? 'old__test_simple_text' : 'test_simple_text'
    const result = await tools[name]?.execute({}, { messages: [], toolCallId: '1' })
    expect(text(result ?? {})).toBe('This is a simple text response for testing.')
    await client.close()
  })
})

describe('the command line of the inspector', () => {
  const LAUNCHER = '@modelcontextprotocol/inspector/clients/launcher/build/index.js'

  const inspect = async (url: string, ...args: string[]) => {
    const flags = ['--cli', url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`, ...args]
    const home = gateway.site.folder
    const inspector = run(modernNode(), [peerFile(LAUNCHER), ...flags], {
      env: { HOME: home, MCP_AUTO_OPEN_ENABLED: 'false' },
    })
    inspector.child.stdin?.end()
    const code = await inspector.exited
    return { code, output: inspector.stdout.items.join('\n'), said: inspector.stderr.items.join('\n') }
  }

  it.each(SERVERS)('lists and calls the tools of the %s server', async server => {
    const listed = await inspect(gateway.endpoint(server), '--method', 'tools/list')
    expect(listed.code, listed.said).toBe(0)
    expect(listed.output).toContain('test_simple_text')
    const called = await inspect(
      gateway.endpoint(server),
      '--method',
      'tools/call',
      '--tool-name',
      'test_simple_text',
    )
    expect(called.code, called.said).toBe(0)
    expect(called.output).toContain('This is a simple text response for testing.')
  })

  it('calls a tool of any server at one endpoint', async () => {
    const called = await inspect(
      gateway.endpoint(),
      '--method',
      'tools/call',
      '--tool-name',
      'new__test_simple_text',
    )
    expect(called.code, called.said).toBe(0)
    expect(called.output).toContain('This is a simple text response for testing.')
  })
})

describe('mcp-remote', () => {
  it.each(SERVERS)('connects a stdio client to the %s server', async server => {
    const headerFile = join(gateway.site.folder, `headers-${server}.txt`)
    writeFileSync(headerFile, `Authorization: Bearer ${token}\n`, { mode: 0o600 })
    const args = [
      peerFile('mcp-remote/dist/proxy.js'),
      gateway.endpoint(server),
      '--header-file',
      headerFile,
      '--allow-http',
    ]
    const remote = run(process.execPath, args, {
      env: { HOME: gateway.site.folder, MCP_REMOTE_CONFIG_DIR: gateway.site.folder },
    })
    const client = new StdioClient(remote)
    const greeting = await client.initialize()
    expect(greeting.result).toMatchObject({ serverInfo: { name: 'hintgate-fixture' } })
    const list = await client.request('tools/list')
    expect(JSON.stringify(list.result)).toContain('test_simple_text')
    const called = await client.request('tools/call', { name: 'test_simple_text', arguments: {} })
    expect(text(called.result ?? {})).toBe('This is a simple text response for testing.')
    await remote.stop()
  })
})

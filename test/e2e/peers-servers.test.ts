import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, readiness, startGateway } from '../support/gateway.ts'
import { peerFile } from '../support/peers.ts'
import { run } from '../support/processes.ts'
import { type Json, LegacyClient, ModernClient, textOf, toolNames, toolsOf } from '../support/raw-mcp.ts'

const EVERYTHING = '@modelcontextprotocol/server-everything/dist/index.js'

let gateway: Gateway
let token: string
let folder: string

/** server-everything takes its port from the environment and cannot be told to take a free one. */
async function everythingOn(transport: string, path: string): Promise<string> {
  const port = await freePort()
  const server = run(process.execPath, [peerFile(EVERYTHING), transport], { env: { PORT: String(port) } })
  await Promise.race([
    server.stderr.until(line => line.includes(String(port))),
    server.stdout.until(line => line.includes(String(port))),
  ])
  return `http://127.0.0.1:${port}${path}`
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

const program = (path: string, ...args: string[]): Json => ({
  command: process.execPath,
  args: [peerFile(path), ...args],
  trust: 'trusted',
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hintgate-peers-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'files'))
  writeFileSync(join(folder, 'files/grüße.txt'), 'Grüße aus Zürich\n')
  const [sse, http] = await Promise.all([everythingOn('sse', '/sse'), everythingOn('streamableHttp', '/mcp')])
  gateway = await startGateway({
    mcpServers: {
      'everything-pipe': program(EVERYTHING, 'stdio'),
      'everything-sse': { url: sse, type: 'sse', trust: 'trusted' },
      'everything-sse-found': { url: sse, trust: 'trusted' },
      'everything-http': { url: http, trust: 'trusted' },
      files: program('@modelcontextprotocol/server-filesystem/dist/index.js', join(folder, 'files')),
      memory: {
        ...program('@modelcontextprotocol/server-memory/dist/index.js'),
        env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
      },
      context7: program('@upstash/context7-mcp/dist/index.js'),
    },
  })
  token = await gateway.site.token()
  const surely = ['everything-pipe', 'everything-sse', 'everything-http', 'files', 'memory', 'context7']
  await Promise.all(surely.map(name => gateway.says(readiness(name))))
})
afterAll(cleanUp)

const modern = (server?: string): ModernClient => new ModernClient(gateway.endpoint(server), token)
const legacy = (server?: string): Promise<LegacyClient> =>
  new LegacyClient(gateway.endpoint(server), token).initialize()

describe.each(['everything-pipe', 'everything-sse', 'everything-http', 'everything-sse-found'])(
  'server-everything as %s',
  server => {
    it('lists and calls its tools in both eras', async () => {
      for (const client of [modern(server), await legacy(server)]) {
        const names = toolNames(await client.request('tools/list'))
        expect(names).toEqual(expect.arrayContaining(['echo', 'get-sum', 'get-tiny-image']))
        expect(textOf(await client.call('echo', { message: 'Grüße 👋' }))).toBe('Echo: Grüße 👋')
        expect(textOf(await client.call('get-sum', { a: 2, b: 3 }))).toMatch(/\b5\b/)
        const image = await client.call('get-tiny-image')
        expect(JSON.stringify(image.result)).toMatch(/"type":"image","data":"iVBOR/)
      }
    })

    it('has resources, templates and prompts', async () => {
      const client = await legacy(server)
      const resources = (await client.request('resources/list')).result?.resources as { uri: string }[]
      expect(resources.length).toBeGreaterThan(0)
      const read = await client.request('resources/read', { uri: resources[0]?.uri })
      expect(read.result).toHaveProperty('contents')
      expect((await client.request('resources/templates/list')).result).toHaveProperty('resourceTemplates')
      const prompts = (await client.request('prompts/list')).result?.prompts as { name: string }[]
      expect(prompts.map(({ name }) => name)).toContain('simple-prompt')
      expect((await client.request('prompts/get', { name: 'simple-prompt' })).result).toHaveProperty(
        'messages',
      )
    })

    it('reports its progress in order', async () => {
      const client = modern(server)
      const params = { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } }
      const reply = client.open('tools/call', params, { meta: { progressToken: 'p' } })
      expect(textOf(await reply.answer())).toContain('completed')
      const progress = reply.messages.items.filter(message => message.method === 'notifications/progress')
      expect(progress.map(({ params: told }) => told?.progress)).toEqual([1, 2, 3, 4])
    })
  },
)

describe('server-filesystem', () => {
  it('lists and reads files, and writes them where the token allows it', async () => {
    const client = await legacy('files')
    const path = join(folder, 'files')
    expect(textOf(await client.call('list_directory', { path }))).toContain('grüße.txt')
    expect(textOf(await client.call('read_text_file', { path: join(path, 'grüße.txt') }))).toContain(
      'Grüße aus Zürich',
    )
    await client.call('write_file', { path: join(path, 'new.txt'), content: 'neu' })
    expect(readFileSync(join(path, 'new.txt'), 'utf8')).toBe('neu')
  })

  it('cannot be made to write by a token that may only read', async () => {
    const reader = new ModernClient(gateway.endpoint(), await gateway.site.token({ permissions: 'read' }))
    const names = toolNames(await reader.request('tools/list'))
    expect(names).toContain('files__read_text_file')
    expect(names).not.toContain('files__write_file')
    const path = join(folder, 'files/forbidden.txt')
    const answer = await reader.call('files__write_file', { path, content: 'x' })
    expect(answer.result?.isError).toBe(true)
    expect(() => readFileSync(path)).toThrow('ENOENT')
  })

  it('is answered, and the %s server gets the answer', async () => {
    const answer = await modern('files').call('read_text_file', { path: '/etc/passwd' })
    expect(answer.result?.isError).toBe(true)
    expect(textOf(answer)).toMatch(/denied|outside/i)
  })
})

describe('server-memory', () => {
  it('stores entities and finds them again', async () => {
    const client = modern()
    const entity = { name: 'Ada', entityType: 'person', observations: ['schreibt Prüfungen'] }
    await client.call('memory__create_entities', { entities: [entity] })
    const graph = await client.call('memory__read_graph')
    expect(graph.result?.structuredContent).toMatchObject({ entities: [entity] })
    expect(JSON.parse(textOf(graph))).toMatchObject({ entities: [entity] })
  })
})

describe('context7', () => {
  it('is used in the newest era that it supports', async () => {
    expect(await gateway.says(/context7 is ready/)).toContain('modern')
    for (const client of [modern('context7'), await legacy('context7')]) {
      const list = await client.request('tools/list')
      expect(toolNames(list)).toEqual(expect.arrayContaining(['resolve-library-id']))
      // Its arguments are checked by the server itself, so this needs no network.
      const answer = await client.call('resolve-library-id', {})
      expect(answer.error ?? answer.result?.isError).toBeTruthy()
    }
  })
})

describe('all of these servers together', () => {
  it('are listed under their own names, with correct hints', async () => {
    const list = await modern().request('tools/list')
    const tools = toolsOf(list)
    expect(new Set(tools.map(({ name }) => name.split('__')[0])).size).toBe(7)
    for (const { annotations } of tools) {
      expect(annotations).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      })
    }
  })
})

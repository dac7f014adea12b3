import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readDefinition } from '@hintgate/metadata'
import { afterAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { startReadyGateway } from '../support/gateway.ts'
import { address, run } from '../support/processes.ts'
import { type Json, ModernClient, toolsOf } from '../support/raw-mcp.ts'
import { SDK_V2_AUTO, type SdkClient } from '../support/sdk-clients.ts'

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url))
const TESTS = fileURLToPath(new URL('.', import.meta.url))
const README = readFileSync(join(EXAMPLES, 'README.md'), 'utf8')
const example = (path: string): string => join(EXAMPLES, path)

afterAll(cleanUp)

async function connect(transport: unknown): Promise<SdkClient> {
  const client = await SDK_V2_AUTO.create({ capabilities: {} })
  await client.connect(transport)
  return client
}

async function start(...args: string[]): Promise<SdkClient> {
  return connect(await SDK_V2_AUTO.stdio(process.execPath, args))
}

const textOf = (result: Json): string => (result.content as { text: string }[])[0]?.text ?? ''
const call = (client: SdkClient, name: string, args: Json = {}): Promise<Json> =>
  client.callTool({ name, arguments: args })

describe('the table of examples', () => {
  it('lists every program, and only existing ones', () => {
    const linked = [...README.matchAll(/\]\((?!\.\.)([^)]+)\)/g)].map(([, path = '']) => path)
    for (const path of linked) expect(existsSync(example(path)), path).toBe(true)
    const programs = readdirSync(EXAMPLES, { recursive: true }).map(String)
    expect(linked).toEqual(expect.arrayContaining(programs.filter(path => path.endsWith('.mjs'))))
  })

  it('lists only programs that a test runs', () => {
    const tests = readdirSync(TESTS).filter(file => file.endsWith('.test.ts'))
    const sources = tests.map(file => readFileSync(join(TESTS, file), 'utf8')).join('\n')
    const programs = [...README.matchAll(/\]\(([^)]+\.mjs)\)/g)].map(([, path = '']) => path)
    expect(programs.length).toBeGreaterThanOrEqual(6)
    for (const path of programs) expect(sources, path).toContain(path)
  })
})

describe('the notes server', () => {
  it('finds, adds and deletes notes', async () => {
    const client = await start(example('notes-server.mjs'))
    const added = await call(client, 'add_note', { title: 'Stamps', text: 'two' })
    expect(textOf(await call(client, 'search_notes', { query: 'stamps' }))).toContain('"two"')
    const { id } = added.structuredContent as Json
    expect((await call(client, 'delete_note', { id })).structuredContent).toEqual({ deleted: true })
    expect(textOf(await call(client, 'search_notes', { query: 'stamps' }))).toBe('[]')
  })
})

describe('the mailer', () => {
  it('declares that a letter is egress and irreversible, and stores it', async () => {
    const client = await start(example('mailer-server.mjs'))
    const { tools } = await client.listTools()
    const sending = tools.find(({ name }) => name === 'send_message')
    expect(readDefinition(sending).declared).toMatchObject({
      hints: { readOnly: false, egress: true, reversible: false, openWorld: true },
      serviceDomains: ['email'],
      // While a call waits, nothing may say that it was sent.
      action: 'Send email "{subject}" to {to}',
    })
    await call(client, 'send_message', { to: ['ada@example.com'], subject: 'Tea', text: 'At four?' })
    expect(textOf(await call(client, 'list_outbox'))).toContain('At four?')
  })
})

describe('the pet store', () => {
  it('is a server of the gateway, with the hints of its methods', async () => {
    const env = { PETSTORE_KEY: 'secret-of-the-store' }
    const service = await address(run(process.execPath, [example('petstore/service.mjs'), '0'], { env }))
    const { mcpServers } = JSON.parse(readFileSync(example('petstore/hintgate.json'), 'utf8')) as {
      mcpServers: { petstore: Json }
    }
    const petstore = { ...mcpServers.petstore, openapi: example('petstore/petstore.yaml'), url: service }
    const gateway = await startReadyGateway({ mcpServers: { petstore } }, { env })
    const client = new ModernClient(gateway.endpoint('petstore'), await gateway.site.token())
    const hints = toolsOf(await client.request('tools/list')).map(({ name, annotations }) => [
      name,
      annotations.destructiveHint,
    ])
    expect(hints).toContainEqual(['remove_pet', true])
    expect(textOf((await client.call('get_pet', { id: '3' })).result ?? {})).toContain('Pet 3')
    expect(textOf((await client.call('get_pet', { id: '99' })).result ?? {})).toContain('there is no pet 99')
  })
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readDefinition } from '@hintgate/metadata'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { hintgate } from '../support/hintgate.ts'
import { address, run } from '../support/processes.ts'
import type { Json } from '../support/raw-mcp.ts'
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

describe('the OpenAPI bridge', () => {
  const env = { LIBRARY_TOKEN: 'open sesame' }
  let client: SdkClient
  let tools: { name: string; annotations?: Json }[]

  beforeAll(async () => {
    const service = await address(
      run(process.execPath, [example('openapi-bridge/service.mjs'), '0'], { env }),
    )
    const bridge = run(process.execPath, [example('openapi-bridge/server.mjs'), service, '--port', '0'], {
      env,
    })
    client = await connect(await SDK_V2_AUTO.http(await address(bridge), 'none'))
    tools = (await client.listTools()).tools
  })

  const declared = (name: string) => readDefinition(tools.find(tool => tool.name === name)).declared

  it('makes a tool of every visible operation', () => {
    expect(tools.map(({ name }) => name)).toEqual([
      'list_books',
      'add_book',
      'get_book',
      'replace_book',
      'remove_book',
      'search_books',
      'remind_borrower',
    ])
  })

  it('takes the hints from the method', () => {
    expect(declared('get_book')).toMatchObject({
      hints: { readOnly: true, idempotent: true },
      operations: ['read'],
    })
    expect(declared('add_book')).toMatchObject({ hints: { readOnly: false, idempotent: false } })
    expect(declared('remove_book')).toMatchObject({
      hints: { destructive: true, idempotent: true, reversible: false },
      operations: ['delete'],
      action: 'Removed book {id}',
    })
  })

  it('takes other hints from the document', () => {
    expect(declared('search_books').hints).toMatchObject({ readOnly: true, destructive: false })
    expect(declared('replace_book').hints).toMatchObject({ idempotent: true, destructive: true })
    expect(declared('remind_borrower').hints).toMatchObject({ egress: true, reversible: false })
  })

  it('calls the service with its credential', async () => {
    const body = { title: 'Emma', author: 'Jane Austen', year: 1815 }
    const added = await call(client, 'add_book', { body })
    const { id } = added.structuredContent as Json
    expect((await call(client, 'get_book', { id })).structuredContent).toEqual({ id, ...body, isLent: false })
    expect(textOf(await call(client, 'search_books', { body: { words: ['emma'] } }))).toContain('Austen')
    expect(textOf(await call(client, 'list_books', { available: true }))).not.toContain('Middlemarch')
    await call(client, 'replace_book', { id, body: { ...body, year: 1816 } })
    expect(textOf(await call(client, 'get_book', { id }))).toContain('1816')
    expect(textOf(await call(client, 'remove_book', { id }))).toBe('Done (204).')
    expect(textOf(await call(client, 'remind_borrower', { id: '1' }))).toBe('Done (202).')
  })

  it('reports errors of the service, and arguments that do not match the document', async () => {
    const missing = await call(client, 'get_book', { id: '../health' })
    expect(missing.isError).toBe(true)
    expect(textOf(missing)).toContain('The service answered 404')
    const wrong = await call(client, 'add_book', { body: { title: 'Emma' } })
    expect(wrong.isError).toBe(true)
    expect(textOf(wrong)).toContain('author')
  })

  it('passes the linter', async () => {
    const server = `env LIBRARY_TOKEN=x node ${example('openapi-bridge/server.mjs')}`
    const { code, stdout } = await hintgate(['lint', '--strict', server])
    expect(stdout).toContain('0 errors, 0 warnings')
    expect(code).toBe(0)
  })
})

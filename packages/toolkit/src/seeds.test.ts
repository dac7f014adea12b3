import { readDefinition } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import type { LogEntry } from './index.ts'
import { createFiles, createGram, createMigrations, createSlack, type Message } from './test-support/seeds.ts'
import { createTestClient, verifyHints } from './testing/index.ts'
import { Toolkit } from './toolkit.ts'

const SLACK = { SLACK_TOKEN: 'xoxb-1' }

describe("Gram's tools", () => {
  it('delete a user and report it', async () => {
    const users = new Set(['ada', 'bob'])
    const result = await createTestClient(createGram(users)).call('delete_user', { userId: 'ada' })
    expect(result.structuredContent).toEqual({ deleted: true })
    expect(result.content).toEqual([{ type: 'text', text: '{"deleted":true}' }])
    expect([...users]).toEqual(['bob'])
  })

  it('send their annotations as they were written', () => {
    const [deleteUser, getWeather] = createGram(new Set()).manifest().tools
    expect(deleteUser).toEqual({
      name: 'delete_user',
      title: 'Delete User',
      description: 'Permanently delete a user account',
      inputSchema: {
        type: 'object',
        properties: { userId: { type: 'string' } },
        required: ['userId'],
        additionalProperties: false,
      },
      annotations: {
        title: 'Delete User',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    })
    expect(getWeather?.annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: true,
    })
  })

  it('behave as their hints declare', async () => {
    const users = new Set(['ada', 'bob'])
    const cases = { delete_user: { userId: 'ada' }, get_weather: { city: 'Bern' } }
    await expect(verifyHints(createGram(users), { state: () => users, cases })).resolves.toMatchObject({
      calls: 2,
    })
  })
})

describe("Arcade's send_slack_message", () => {
  it('uses the token that was checked at start-up', async () => {
    const sent: Message[] = []
    const client = createTestClient(createSlack(sent), { env: SLACK })
    await client.call('send_slack_message', { channel: '#general', message: 'hello' })
    expect(sent).toEqual([{ channel: '#general', message: 'hello' }])
  })

  it('does not start without the token', () => {
    expect(() => createTestClient(createSlack([]), { env: {} })).toThrow(
      /slack: env\.SLACK_TOKEN:.*\(env-invalid\)/s,
    )
  })

  it('sends all three axes', () => {
    const [definition] = createSlack([]).manifest().tools
    expect(readDefinition(definition).declared).toEqual({
      hints: {
        readOnly: false,
        destructive: false,
        idempotent: false,
        openWorld: true,
        egress: true,
        reversible: false,
      },
      operations: ['create'],
      serviceDomains: ['messaging'],
      action: 'Sent a message to {channel}',
      extras: { idp: 'entraID', requires_mfa: true },
    })
  })

  it('reports the invalid fields', async () => {
    const client = createTestClient(createSlack([]), { env: SLACK })
    const result = await client.call('send_slack_message', { channel: 7, mesage: 'hello' })
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toMatchObject({
      error: {
        code: 'invalid_arguments',
        details: [
          { path: 'channel', message: 'expected string, received number' },
          { path: 'message', message: 'expected string, received undefined' },
          { path: 'mesage', message: 'unknown argument; did you mean message?' },
        ],
      },
    })
  })
})

describe('the migration tool', () => {
  const pending = ['001_users', '002_notes', '003_tags', '004_links', '005_index']

  it('changes nothing in a dry run, and reports that this call only reads', async () => {
    const database = { pending, applied: [] }
    const result = await createTestClient(createMigrations(database)).call('migrate_database', {
      dryRun: true,
    })
    expect(result.content).toEqual([{ type: 'text', text: 'Dry run complete: 5 migrations processed.' }])
    expect(result._meta).toEqual({
      'io.hintgate/effects': {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    })
    expect(database.applied).toEqual([])
  })

  it('tells the gateway which argument makes a call a dry run', () => {
    const [definition] = createMigrations({ pending, applied: [] }).manifest().tools
    expect(definition?._meta).toEqual({ 'io.hintgate/preview': { argument: 'dryRun', value: true } })
  })

  it('reports its progress', async () => {
    const seen: unknown[] = []
    const client = createTestClient(createMigrations({ pending, applied: [] }), {
      onProgress: at => seen.push(at),
    })
    await client.call('migrate_database')
    expect(seen).toHaveLength(5)
    expect(seen[1]).toEqual({ progress: 1, total: 5, message: 'Running: 002_notes' })
  })

  it('stops when it is cancelled, and reports it', async () => {
    const database = { pending, applied: [] }
    const cancelling = new AbortController()
    const client = createTestClient(createMigrations(database), {
      onProgress: ({ progress }) => progress === 2 && cancelling.abort(),
    })
    const result = await client.call('migrate_database', {}, { signal: cancelling.signal })
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Migration cancelled by the client after 3 of 5.' }],
    })
    expect(database.applied).toEqual(pending.slice(0, 3))
  })

  it('can have different effects in different calls', async () => {
    const database = { pending, applied: [] as string[] }
    const state = { snapshot: () => database, reset: () => database.applied.splice(0) }
    const cases = { migrate_database: [{ dryRun: true }, { dryRun: false }] }
    await expect(verifyHints(createMigrations(database), { state, cases })).resolves.toMatchObject({
      calls: 2,
    })
  })
})

describe('a tool that stops by throwing', () => {
  it('is reported as cancelled, not as failed', async () => {
    const log: LogEntry[] = []
    const cancelling = new AbortController()
    const { Toolkit } = await import('./index.ts')
    const toolkit = new Toolkit({ name: 'slow', version: '1', log: entry => log.push(entry) }).tool({
      name: 'wait',
      description: 'Waits until it is told not to',
      preset: 'read-query',
      async execute(ctx) {
        cancelling.abort()
        ctx.signal.throwIfAborted()
        return ctx.text('never')
      },
    })
    const result = await createTestClient(toolkit).call('wait', {}, { signal: cancelling.signal })
    expect(result.structuredContent).toMatchObject({ error: { code: 'cancelled' } })
    expect(log).toMatchObject([{ level: 'info', tool: 'wait', message: 'cancelled by the caller' }])
  })
})

describe('search_files and delete_file', () => {
  it('find, preview and delete', async () => {
    const files = new Map([
      ['a.txt', 'hello'],
      ['b.md', ''],
    ])
    const client = createTestClient(createFiles(files))
    expect(await client.call('search_files', { pattern: '.txt' })).toMatchObject({
      content: [{ text: 'a.txt' }],
    })
    expect(await client.preview('delete_file', { path: 'a.txt' })).toMatchObject({
      content: [{ text: 'Would delete a.txt (5 characters)' }],
    })
    expect(files.size).toBe(2)
    expect(await client.call('delete_file', { path: 'a.txt' })).toMatchObject({
      content: [{ text: 'Deleted: a.txt' }],
    })
    expect([...files.keys()]).toEqual(['b.md'])
  })

  it('fails with a message if the file does not exist', async () => {
    const result = await createTestClient(createFiles(new Map())).call('delete_file', { path: 'x' })
    expect(result).toMatchObject({ isError: true, content: [{ text: 'File not found: x.' }] })
  })

  it('names the preview after the title, wherever that is declared', () => {
    const toolkit = new Toolkit({ name: 'users', version: '1.0.0' }).tool({
      name: 'delete_user',
      description: 'Permanently delete a user account',
      annotations: {
        title: 'Remove account',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
      execute: ctx => ctx.text('deleted'),
      preview: ctx => ctx.text('would delete'),
    })
    expect(toolkit.manifest().tools.map(({ title }) => title)).toEqual([
      'Remove account',
      'Preview: Remove account',
    ])
  })

  it('offers the preview as a separate read-only tool', () => {
    const { tools } = createFiles(new Map()).manifest()
    expect(tools.map(({ name }) => name)).toEqual(['search_files', 'delete_file', 'preview_delete_file'])
    expect(tools[1]?._meta).toMatchObject({ 'io.hintgate/preview': { tool: 'preview_delete_file' } })
    expect(tools[2]?.annotations).toEqual({
      title: 'Preview: Delete File',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    })
  })
})

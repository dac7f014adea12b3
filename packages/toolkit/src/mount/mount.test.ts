import { McpServer } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Toolkit, ToolkitError } from '../index.ts'
import { createTestClient } from '../testing/index.ts'

/** A server that was written without the toolkit. */
function createOldServer() {
  const seen = { cancelled: false }
  const server = new McpServer({ name: 'old', version: '1' })
  server.registerTool(
    'merge_contacts',
    { description: 'Merges two contacts', inputSchema: z.object({ a: z.string(), b: z.string() }) },
    ({ a, b }) => ({ content: [{ type: 'text', text: `${a}+${b}` }], _meta: { 'old/trace': 7 } }),
  )
  server.registerTool(
    'find_contacts',
    {
      description: 'Finds contacts',
      annotations: { readOnlyHint: true, destructiveHint: true },
      _meta: { 'old/x': 1, 'io.hintgate/preview': { tool: 'merge_contacts' } },
    },
    () => ({ content: [] }),
  )
  server.registerTool('slow', { description: 'Takes its time' }, async ctx => {
    const progressToken = ctx.mcpReq._meta?.progressToken ?? 0
    await ctx.mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress: 1, total: 2 },
    })
    const { signal } = ctx.mcpReq
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
    seen.cancelled = true
    return { content: [] }
  })
  server.registerResource('all', 'contacts://all', { mimeType: 'text/plain' }, uri => ({
    contents: [{ uri: uri.href, text: 'Ada' }],
  }))
  server.registerPrompt('greet', { argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Hello ${name}` } }],
  }))
  return { server, seen }
}

const MERGE = {
  merge_contacts: {
    behavior: { operations: ['update', 'delete'], readOnly: false, destructive: true, openWorld: true },
    serviceDomains: ['crm'],
    action: 'Merged {a} and {b}',
    title: 'Merge contacts',
  },
} as const

describe('a mounted server', () => {
  it('keeps its own metadata unless the overlay overrides it', async () => {
    const toolkit = await new Toolkit({ name: 'crm', version: '1' }).mount(createOldServer().server, {
      tools: MERGE,
    })
    const [merge, find] = toolkit.manifest().tools
    expect(merge).toEqual({
      name: 'merge_contacts',
      title: 'Merge contacts',
      description: 'Merges two contacts',
      inputSchema: expect.objectContaining({ required: ['a', 'b'] }) as object,
      annotations: {
        title: 'Merge contacts',
        readOnlyHint: false,
        destructiveHint: true,
        openWorldHint: true,
      },
      _meta: {
        'io.hintgate/metadata': {
          action: 'Merged {a} and {b}',
          behavior: { operations: ['update', 'delete'] },
          classification: { serviceDomains: ['crm'] },
        },
      },
    })
    expect(find?._meta).toMatchObject({ 'old/x': 1 })
    expect(find?.annotations).toEqual({ readOnlyHint: true, destructiveHint: true })
  })

  it('reports problems of the mounted server as warnings, and starts', async () => {
    const toolkit = await new Toolkit({ name: 'crm', version: '1' }).mount(createOldServer().server)
    expect(toolkit.findings).toContainEqual(
      expect.objectContaining({ subject: 'find_contacts', code: 'readonly-destructive', level: 'warning' }),
    )
    expect(() => toolkit.manifest()).not.toThrow()
  })

  it('does not start with contradictions in the overlay, or with unknown tool names', async () => {
    const tools = { find_contacts: { tags: ['x'] }, merge_contact: { preset: 'delete' } } as const
    const toolkit = await new Toolkit({ name: 'crm', version: '1' }).mount(createOldServer().server, {
      tools,
    })
    expect(() => toolkit.manifest()).toThrow(ToolkitError)
    expect(() => toolkit.manifest()).toThrow(/Did you mean merge_contacts\?[\s\S]*readonly-destructive/)
  })

  it('passes results on unchanged', async () => {
    const toolkit = await new Toolkit({ name: 'crm', version: '1' }).mount(createOldServer().server, {
      tools: MERGE,
    })
    const client = createTestClient(toolkit)
    expect(await client.call('merge_contacts', { a: 'x', b: 'y' })).toMatchObject({
      content: [{ type: 'text', text: 'x+y' }],
      _meta: { 'old/trace': 7 },
    })
    expect(await client.call('merge_contacts', { a: 'x' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('b') }],
    })
  })

  it('can have its names prefixed and tools omitted', async () => {
    const toolkit = await new Toolkit({ name: 'crm', version: '1' }).mount(createOldServer().server, {
      prefix: 'old_',
      tools: { slow: false },
    })
    const { tools, prompts } = toolkit.manifest()
    expect(tools.map(({ name }) => name)).toEqual(['old_merge_contacts', 'old_find_contacts'])
    expect(tools[1]?._meta).toMatchObject({ 'io.hintgate/preview': { tool: 'old_merge_contacts' } })
    expect(prompts).toMatchObject([{ name: 'old_greet', arguments: [{ name: 'name', required: true }] }])
  })

  it('receives cancellations, and sends progress', async () => {
    const { server, seen } = createOldServer()
    const toolkit = await new Toolkit({ name: 'crm', version: '1', log: () => {} }).mount(server)
    const cancelling = new AbortController()
    const client = createTestClient(toolkit, { onProgress: () => cancelling.abort() })
    const result = await client.call('slow', {}, { signal: cancelling.signal })
    expect(result.structuredContent).toMatchObject({ error: { code: 'cancelled' } })
    await expect.poll(() => seen.cancelled).toBe(true)
  })

  it('offers its resources and prompts too', async () => {
    const toolkit = await new Toolkit({ name: 'crm', version: '1' }).mount(createOldServer().server)
    const { resources, prompts } = toolkit.parts
    const ctx = { signal: new AbortController().signal } as never
    expect(await resources[0]?.read(ctx, new URL('contacts://all'), {})).toMatchObject({
      contents: [{ text: 'Ada' }],
    })
    expect(await prompts[0]?.render(ctx, { name: 'Ada' } as never)).toMatchObject({
      messages: [{ content: { text: 'Hello Ada' } }],
    })
  })

  it('fails calls with a message after it has disconnected', async () => {
    const { server } = createOldServer()
    const toolkit = await new Toolkit({ name: 'crm', version: '1', log: () => {} }).mount(server)
    const pending = createTestClient(toolkit).call('slow')
    await server.close()
    expect(await pending).toMatchObject({
      isError: true,
      content: [{ text: 'The mounted server has disconnected.' }],
    })
  })
})

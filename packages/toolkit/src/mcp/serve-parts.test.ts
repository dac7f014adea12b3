import { InMemoryTransport } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type LogEntry, Toolkit } from '../index.ts'
import { Peer, PeerError } from '../mount/peer.ts'

const log: LogEntry[] = []
const toolkit = new Toolkit({ name: 'kit', version: '1', log: entry => log.push(entry) })
  .resource({
    uri: 'kit://broken',
    name: 'broken',
    read() {
      throw new Error('the key is hunter2')
    },
  })
  .resource({ uri: 'kit://{id}', name: 'one', read: (ctx, { id }) => ctx.fail(`there is no ${String(id)}`) })
  .prompt({ name: 'ask', input: { what: z.string() }, render: (_ctx, { what }) => `What is ${what}?` })

/** Connects to the toolkit's server over an in-memory transport. */
async function connect(): Promise<Peer> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await toolkit.toMcpServer().connect(theirs)
  const peer = new Peer(ours)
  await peer.open('test')
  return peer
}

async function messageOf(request: Promise<unknown>): Promise<string> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof PeerError ? error.message : 'no error'
}

describe('resources and prompts', () => {
  it('hide internal errors from the caller', async () => {
    const peer = await connect()
    const message = await messageOf(peer.request('resources/read', { uri: 'kit://broken' }))
    expect(message).toMatch(/broken failed\. Details are in the server log under [0-9a-f]{8}/)
    expect(message).not.toContain('hunter2')
    expect(JSON.stringify(log)).toContain('hunter2')
  })

  it('return the message of ctx.fail', async () => {
    const peer = await connect()
    expect(await messageOf(peer.request('resources/read', { uri: 'kit://7' }))).toContain('there is no 7')
  })

  it('report the invalid argument', async () => {
    const peer = await connect()
    const message = await messageOf(peer.request('prompts/get', { name: 'ask', arguments: { wht: 'x' } }))
    expect(message).toContain('what: expected string')
    expect(await peer.request('prompts/get', { name: 'ask', arguments: { what: 'MCP' } })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'What is MCP?' } }],
    })
  })
})

describe('a server of the official SDK', () => {
  it('is created anew each time, and can be extended', async () => {
    const server = toolkit.toMcpServer()
    expect(server).not.toBe(toolkit.toMcpServer())
    server.registerTool('own', { description: 'x' }, () => ({ content: [] }))
    const mounted = await new Toolkit({ name: 'outer', version: '1' }).mount(server)
    expect(mounted.manifest().tools.map(({ name }) => name)).toEqual(['own'])
  })

  it('declares that its lists do not change', async () => {
    const { capabilities } = await connect()
    expect(capabilities).toEqual({
      logging: {},
      tools: { listChanged: false },
      resources: { listChanged: false },
      prompts: { listChanged: false },
    })
  })
})

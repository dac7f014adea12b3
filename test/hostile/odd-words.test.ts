import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminWith } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { type Json, LegacyClient, ModernClient } from '../support/raw-mcp.ts'
import { ERAS } from '../support/search-client.ts'
import { openWitness } from '../support/witness.ts'
import { talkative } from './talkative.ts'

// An object in place of a text; converting it to a text throws. Servers and clients may send it anywhere.

const ODD = { toString: 0 }
const LOGS = { 'io.modelcontextprotocol/logLevel': 'debug', progressToken: 'p' }

let gateway: Gateway
let token: string
let admin: Awaited<ReturnType<typeof adminWith>>

beforeAll(async () => {
  const witness = await openWitness()
  gateway = await startReadyGateway({
    // Checks that run on every message.
    results: { secrets: 'flag', instructions: 'flag' },
    mcpServers: { odd: talkative('odd', witness) },
  })
  token = await gateway.site.token()
  admin = await adminWith(gateway, 'viewer')
})
afterAll(cleanUp)

const modern = () => new ModernClient(gateway.endpoint('odd'), token)
const legacy = () => new LegacyClient(gateway.endpoint('odd'), token).initialize()

/** A client that receives everything: log lines and updates of a resource. */
async function attend(era: string) {
  const uris = ['note://listed']
  if (era === 'modern') {
    const params = { notifications: { resourceSubscriptions: uris } }
    const stream = modern().open('subscriptions/listen', params)
    await stream.until('notifications/subscriptions/acknowledged')
    return { stream, call: (args: Json) => modern().call('tell', args, { meta: LOGS }) }
  }
  const client = await legacy()
  const stream = await client.listen()
  await client.request('logging/setLevel', { level: 'debug' })
  await client.request('resources/subscribe', { uri: uris[0] })
  return { stream, call: (args: Json) => client.call('tell', args) }
}

describe.each(ERAS)('a message of a server to a %s client', era => {
  it.each([
    { method: 'notifications/message', params: { level: ODD, logger: ODD, data: ODD } },
    { method: 'notifications/message', params: { level: 'info', data: { type: ODD, data: 'x' } } },
    { method: 'notifications/resources/updated', params: { uri: ODD } },
    { method: 'notifications/resources/updated', params: { uri: [ODD], _meta: ODD } },
    { method: 'notifications/progress', params: { progressToken: ODD, progress: ODD } },
    { method: 'notifications/cancelled', params: { requestId: ODD, reason: ODD } },
    { id: 'q1', method: 'elicitation/create', params: { type: ODD, data: 'x', message: ODD } },
    { id: 'q2', method: 'roots/list', params: ODD },
    { id: 77, error: { code: ODD, message: ODD, data: ODD } },
  ])('does not end the call or the connection: %j', async message => {
    const { stream, call } = await attend(era)
    await call({ messages: [message, message] })
    expect((await call({ messages: [] })).result?.content).toEqual([{ type: 'text', text: 'told' }])
    stream.close()
  })

  it('is passed on and recorded if it is a result with such a value', async () => {
    const client = era === 'modern' ? modern() : await legacy()
    const content = [{ type: ODD, data: 'x' }]
    const { result } = await client.call('odd_write', { answer: { result: { content } } })
    expect(result?.content).toEqual(content)
    await expect
      .poll(async () => (await admin.listActivity({ query: { tool: 'odd_write' } })).items[0]?.outcome)
      .toBe('answered')
  })
})

it.each(['odd', undefined])(
  'a modern client that sends an object as the name of a tool gets an error, at %s',
  async server => {
    const url = server === undefined ? gateway.endpoint() : gateway.endpoint(server)
    const { id, error } = await new ModernClient(url, token).request(
      'tools/call',
      { name: ODD },
      { id: 'mine' },
    )
    expect(id).toBe('mine')
    expect(error).toMatchObject({ code: -32602, message: 'tools/call needs a `name`' })
  },
)

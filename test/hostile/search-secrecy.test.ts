import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { startReadyGateway } from '../support/gateway.ts'
import type { Json, Message } from '../support/raw-mcp.ts'
import { ScriptedServer, type ScriptedTool, scripted, WRITES } from '../support/scripted-server.ts'
import { type Client, connect, type Found, retrieve, searchUrl } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

/** Two gateways that differ only in tools that the caller may not see; all of their answers must be equal. */
let witness: Witness
let here: Client
let there: Client

const SEEN = [
  scripted('send_payment', { description: 'Sends a payment to a supplier.' }),
  scripted('list_payments', { description: 'Lists the payments of a month.' }),
  scripted('read_keystore', { description: 'Reads one key of the key store.' }),
]

/** Words that resemble those above, and many that both have. */
const UNSEEN: readonly ScriptedTool[] = [
  scripted('paymnt_ledger', {
    description: 'The paymnt ledger of project Bluebird: suppliers, months, keystor.',
  }),
  ...Array.from({ length: 60 }, (_, index) =>
    scripted(`sends_${index}`, { description: 'Sends a month of lists.' }),
  ),
]
/** A tool that the caller may not use, of a server that it may use. */
const FORBIDDEN = scripted('wire_paymnts', { description: 'Wires paymnts to Bluebird.', annotations: WRITES })

async function open(
  name: string,
  servers: Readonly<Record<string, readonly ScriptedTool[]>>,
): Promise<Client> {
  const entries = Object.entries(servers).map(([server, tools]) => [
    server,
    new ScriptedServer(`${name}-${server}`, witness, tools).config,
  ])
  const gateway = await startReadyGateway({ mcpServers: Object.fromEntries(entries) })
  const scope = { permissions: 'retrieve_tools,read', servers: 'bank' }
  return connect(searchUrl(gateway), await gateway.site.token(scope))
}

beforeAll(async () => {
  witness = await openWitness()
  here = await open('here', { bank: [...SEEN, FORBIDDEN], secret: UNSEEN })
  there = await open('there', { bank: SEEN })
})
afterAll(cleanUp)

const both = async (tool: string, args: Json): Promise<readonly (Message['result'] | undefined)[]> =>
  Promise.all([here, there].map(async client => (await client.call(tool, args)).result))

const search = (query: string): Promise<readonly Found[]> =>
  Promise.all([here, there].map(client => retrieve(client, query, { limit: 50 })))

describe('a tool out of scope does not change', () => {
  it.each([
    '',
    'payment',
    'bluebird',
    'keystore',
    'key store',
    'sends',
    'ledger',
    'send a payment each month',
  ])('the results, ranks and counts of a search for "%s"', async query => {
    const [mine, other] = await search(query)
    expect(mine).toEqual(other)
  })

  it.each(['paymnt', 'keystor', 'suplier'])('the correction of the misspelt word "%s"', async query => {
    const [mine, other] = await search(query)
    expect(other?.total).toBeGreaterThan(0)
    expect(mine).toEqual(other)
  })

  it.each([
    ['describe_tool', { name: 'bank:wire_paymnts' }],
    ['describe_tool', { name: 'secret:paymnt_ledger' }],
    ['call_tool_read', { name: 'secret:paymnt_ledger' }],
    ['call_tool_read', { name: 'bank:wire_paymnt' }],
    ['call_tools_read', { calls: [{ name: 'secret:sends_1' }, { name: 'secret:nothing' }] }],
    ['call_tool_read', { name: 'paymnt_ledger' }],
    ['read_result', { handle: 'res_AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('the answer of %s to %j', async (tool, args) => {
    const [mine, other] = await both(tool, args)
    expect(JSON.stringify(mine)).toContain('error')
    expect(mine).toEqual(other)
  })
})

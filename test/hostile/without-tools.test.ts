import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { LegacyClient, ModernClient } from '../support/raw-mcp.ts'
import { openWitness } from '../support/witness.ts'
import { talkative } from './talkative.ts'

// A server that was not reviewed and lists no tools to approve sends as little as a server whose tools wait for
// review.

const WORDS = 'OF ITS OWN'
const HELLO = {
  serverInfo: { name: WORDS, title: WORDS, version: '1' },
  capabilities: { tools: {}, prompts: {}, resources: {}, logging: {} },
}
const LISTS = { none: '[]', nameless: `[{"description":"${WORDS}","inputSchema":{"type":"object"}}]` }

let gateway: Gateway
let token: string

beforeAll(async () => {
  const witness = await openWitness()
  const reviewed = (name: string, tools: string) =>
    talkative(name, witness, { trust: 'reviewed', env: { TOOLS: tools } }, HELLO)
  gateway = await startReadyGateway({
    quarantine: true,
    mcpServers: {
      none: reviewed('none', LISTS.none),
      nameless: reviewed('nameless', LISTS.nameless),
      prompting: reviewed('prompting', LISTS.none),
      trusted: talkative('trusted', witness, { env: { TOOLS: LISTS.none } }, HELLO),
    },
  })
  token = await gateway.site.token()
})
afterAll(cleanUp)

const modern = (server: string) => new ModernClient(gateway.endpoint(server), token)

/** Everything that an agent receives from a server apart from tools. */
async function hear(server: string): Promise<string> {
  const client = await new LegacyClient(gateway.endpoint(server), token).initialize()
  return JSON.stringify([
    client.greeting,
    await client.request('resources/list'),
    await client.request('resources/read', { uri: 'note://listed' }),
    await client.request('logging/setLevel', { level: 'info', error: { code: -32000, message: WORDS } }),
    await modern(server).request('server/discover'),
    await modern(server).request('resources/list'),
    await modern(server).request('prompts/list'),
  ])
}

describe('a server without tools', () => {
  it.each(Object.keys(LISTS))(
    'sends no text of its own while nothing of it is approved: %s',
    async server => {
      const heard = await hear(server)
      expect([heard.includes(WORDS), heard.includes('note://listed'), heard.includes('p1')]).toEqual([
        false,
        false,
        false,
      ])
    },
  )

  it('sends its texts if it is trusted', async () => {
    const heard = await hear('trusted')
    expect([heard.includes(WORDS), heard.includes('the note')]).toEqual([true, true])
  })

  it('sends its texts once a prompt is approved, and the operator is told of this way', async () => {
    await hear('prompting')
    await gateway.says(/prompting lists no tools .*approve one of its prompts/)
    const review = await hintgate(['tools', 'review', ...gateway.site.flags])
    expect(review.stderr).toMatch(/prompting lists no tools/)
    const { code, stderr } = await hintgate(['tools', 'approve', 'prompting:p1', ...gateway.site.flags])
    expect([code, stderr]).toEqual([0, ''])
    await expect.poll(() => hear('prompting')).toContain(WORDS)
    expect(await hear('prompting')).toContain('the note')
  })
})

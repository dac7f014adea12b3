import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AdminClient } from '../../packages/gateway/src/admin/client.ts'
import { adminWith } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { ModernClient } from '../support/raw-mcp.ts'
import { ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { openWitness } from '../support/witness.ts'

let gateway: Gateway
let admin: AdminClient
beforeAll(async () => {
  const tool = scripted('send_email', {
    annotations: WRITES,
    _meta: { 'io.hintgate/metadata': { action: 'Sent email to {to}' } },
  })
  const server = new ScriptedServer('mail', await openWitness(), [tool])
  gateway = await startReadyGateway({ mcpServers: { mail: server.config } })
  admin = await adminWith(gateway, 'viewer')
})
afterAll(cleanUp)

/** The newest call of an agent in words, in the console's feed and on the command line. */
async function wordsFor(name: string): Promise<readonly (string | undefined)[]> {
  const { items } = await admin.listActivity({ query: { agent: name } })
  const { stdout } = await hintgate(['audit', 'query', '--agent', name, '--json', ...gateway.site.flags])
  const { calls } = JSON.parse(stdout) as { calls: { action: string }[] }
  return [items[0]?.sentence, calls[0]?.action]
}

async function send(to: unknown, permissions = 'read,write'): Promise<string> {
  const { name, token } = await gateway.site.namedToken({ permissions })
  await new ModernClient(gateway.endpoint('mail'), token).call('send_email', { to })
  return name
}

describe('the activity feed', () => {
  it('says that a call was refused, not that it was executed', async () => {
    const name = await send('ada@example.com', 'read')
    const words = 'Refused: Send email: ada@example.com'
    await expect.poll(() => wordsFor(name)).toEqual([words, words])
  })

  it('says what an executed call did, with the elements of a list', async () => {
    const words = 'Sent email to ada@example.com, bob@example.com'
    expect(await wordsFor(await send(['ada@example.com', 'bob@example.com']))).toEqual([words, words])
  })

  it('says how many more elements a long list has', async () => {
    const words = 'Sent email to a0, a1, a2 and 97 more'
    const many = Array.from({ length: 100 }, (_, at) => `a${at}`)
    expect(await wordsFor(await send(many))).toEqual([words, words])
  })
})

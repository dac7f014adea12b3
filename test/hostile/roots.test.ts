import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, startGateway, startReadyGateway } from '../support/gateway.ts'
import { fixtureFile, peerFile } from '../support/peers.ts'
import { LegacyClient, ModernClient, type Reply, textOf } from '../support/raw-mcp.ts'
import { openWitness, type Witness } from '../support/witness.ts'
import { talkative } from './talkative.ts'

// Roots tell a server which folders to work in, and servers obey: server-filesystem forgets the folders on its
// command line. So an agent that can set the roots of a shared server can reach all files.

const ROOTS = { roots: { listChanged: true } }
const EVIL = [{ uri: 'file:///etc' }]
const IN_CLIENTS = { isolation: 'session', roots: 'client' }

let gateway: Gateway
let witness: Witness
let token: string
let inside: string
let outside: string

beforeAll(async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hintgate-roots-')))
  later(() => rmSync(folder, { recursive: true, force: true }))
  inside = join(folder, 'inside')
  outside = join(folder, 'outside')
  for (const place of [inside, outside]) mkdirSync(place)
  for (const place of [inside, outside]) writeFileSync(join(place, 'secret.txt'), `the secret of ${place}`)
  witness = await openWitness()
  const files = peerFile('@modelcontextprotocol/server-filesystem/dist/index.js')
  const real = { command: process.execPath, args: [files, inside], trust: 'trusted' }
  const modern = {
    command: process.execPath,
    args: [fixtureFile(), '--stdio', '--era', 'modern'],
    trust: 'trusted',
  }
  const told = { roots: [pathToFileURL(outside).href] }
  gateway = await startReadyGateway({
    mcpServers: {
      shared: talkative('shared', witness),
      own: talkative('own', witness, { isolation: 'session' }),
      told: talkative('told', witness, told),
      asking: talkative('asking', witness, IN_CLIENTS),
      files: real,
      'files-told': { ...real, ...told },
      modern,
      'modern-told': { ...modern, ...told },
    },
  })
  token = await gateway.site.token()
})
afterAll(cleanUp)

/** A client that offers roots, announces a change of them during a call of its own, and answers when it is asked. */
async function push(server: string, isHeard = false): Promise<readonly string[]> {
  const client = await new LegacyClient(gateway.endpoint(server), token).initialize({ capabilities: ROOTS })
  const answering = (call: Reply): Promise<unknown> =>
    call.until('roots/list').then(
      ({ id }) => client.respond(id ?? '', { roots: EVIL }),
      () => {},
    )
  const call = client.openCall('hold')
  await witness.saw(server, 'hanging')
  await client.notify('notifications/roots/list_changed')
  if (isHeard) await answering(call)
  // A server that received the notification would have asked for the roots before this answer.
  else await client.call('echo')
  witness.tell(server, { kind: 'release' })
  await call.answer()
  const own = client.openCall('roots')
  await Promise.all([own.answer(), answering(own)])
  return witness
    .of(server)
    .filter(({ method }) => method === 'answer to roots/list')
    .map(({ raw }) => raw ?? '')
}

const heard = (server: string, method: string) =>
  witness.of(server).filter(sighting => sighting.method === method)

describe('roots that an agent offers', () => {
  it.each(['shared', 'own'])('do not reach a server for which they are not configured: %s', async server => {
    expect(await push(server)).toEqual(['{"result":{"roots":[]}}'])
    expect(heard(server, 'notifications/roots/list_changed')).toEqual([])
    for (const { raw } of heard(server, 'capabilities')) expect(raw).not.toContain('roots')
  })

  it('do not replace the roots that the operator configured', async () => {
    expect(await push('told')).toEqual([
      JSON.stringify({ result: { roots: [{ uri: pathToFileURL(outside).href }] } }),
    ])
    expect(heard('told', 'capabilities').at(-1)?.raw).toContain('"roots":{}')
  })

  it('reach a server with its own process if the operator allows it', async () => {
    const answers = await push('asking', true)
    expect(answers).toHaveLength(2)
    for (const answer of answers) expect(JSON.parse(answer)).toEqual({ result: { roots: EVIL } })
    expect(heard('asking', 'notifications/roots/list_changed')).toHaveLength(1)
  })

  it('do not change what the real server-filesystem can read', async () => {
    const read = async (server: string, place: string) =>
      textOf(
        await new ModernClient(gateway.endpoint(server), token).call('read_text_file', {
          path: join(place, 'secret.txt'),
        }),
      )
    const client = await new LegacyClient(gateway.endpoint('files'), token).initialize({
      capabilities: ROOTS,
    })
    for (let round = 0; round < 3; round++) {
      const call = client.openCall('directory_tree', { path: inside })
      await client.notify('notifications/roots/list_changed')
      await call.closed
      expect(call.messages.items.filter(({ method }) => method === 'roots/list')).toEqual([])
    }
    expect(await read('files', outside)).toContain('Access denied')
    expect(await read('files', inside)).toContain('the secret of')
    // The operator configured another folder.
    expect(await read('files-told', outside)).toContain('the secret of')
    expect(await read('files-told', inside)).toContain('Access denied')
  })

  it.each([
    ['modern', 'do not declare the required capability', /^Roots: $/],
    ['modern-told', 'Roots: file://', /^Roots: file:.*outside$/],
  ])('do not reach a modern server: %s', async (server, expected, roots) => {
    const name = 'test_input_required_result_list_roots'
    const client = new ModernClient(gateway.endpoint(server), token, ROOTS)
    expect(textOf(await client.call(name))).toContain(expected)
    const inputResponses = { client_roots: { roots: EVIL } }
    const forced = await client.request('tools/call', { name, arguments: {}, inputResponses })
    expect(textOf(forced)).toMatch(roots)
  })
})

describe('a config with "roots": "client" for a shared server', () => {
  it('is refused', async () => {
    const config = { mcpServers: { s: talkative('s', witness, { roots: 'client' }) } }
    await expect(startGateway(config)).rejects.toThrow(/roots: one agent would choose/)
  })
})

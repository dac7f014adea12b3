import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { ClientHome } from '../support/client-home.ts'
import { ASKABLE, waitingFor } from '../support/confirming.ts'
import { hintgate } from '../support/hintgate.ts'
import { type Running, run } from '../support/processes.ts'
import { LegacyClient, ModernClient } from '../support/raw-mcp.ts'

// An agent that has only a demo's token cannot approve its own calls: not even as a client that claims to have a user
// to ask, in either era.

const BIN = fileURLToPath(new URL('../../packages/gateway/bin/hintgate.js', import.meta.url))
const EXAMPLE = fileURLToPath(new URL('../../examples/demo.json', import.meta.url))
afterAll(cleanUp)

async function addressOf(running: Running): Promise<string> {
  await running.stderr.until(line => line.includes('notes is ready'))
  const said = [...running.stdout.items, ...running.stderr.items].join('\n')
  return /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? ''
}

async function startDemo() {
  const { env, project } = new ClientHome()
  const demo = run(process.execPath, [BIN, 'demo', '--listen', '127.0.0.1:0'], { env, cwd: project })
  const header = await demo.stdout.until(line => line.includes('hg_agent_'))
  return { url: await addressOf(demo), token: /hg_agent_[\w-]+/.exec(header)?.[0] ?? '' }
}

/** Like `npm start`. */
async function startExample() {
  const home = new ClientHome()
  const place = ['--config', EXAMPLE, '--home', home.path('demo')]
  const scope = ['--permissions', 'retrieve_tools,read,write,destructive', '--servers', '*', '--json']
  const made = await hintgate(['tokens', 'create', 'demo', ...scope, ...place])
  const serving = run(process.execPath, [BIN, 'serve', ...place, '--listen', '127.0.0.1:0'], {
    env: home.env,
  })
  return { url: await addressOf(serving), token: (JSON.parse(made.stdout) as { token: string }).token }
}

it.each([
  ['hintgate demo', startDemo],
  ['npm start', startExample],
])('the token of %s is not enough to delete something', async (_name, start) => {
  const { url, token } = await start()
  const endpoint = `${url}/mcp/servers/notes`
  const modern = new ModernClient(endpoint, token, ASKABLE)
  waitingFor(await modern.call('delete_note', { id: '2' }))

  const legacy = new LegacyClient(endpoint, token)
  await legacy.initialize({ capabilities: ASKABLE })
  waitingFor(await legacy.request('tools/call', { name: 'delete_note', arguments: { id: '2' } }))

  const found = await modern.call('search_notes', { query: '' })
  expect(JSON.stringify(found.result)).toMatch(/"id\W+2\b/)
})

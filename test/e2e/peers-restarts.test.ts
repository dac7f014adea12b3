import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { peerFile } from '../support/peers.ts'
import { type Json, LegacyClient, toolNames } from '../support/raw-mcp.ts'

/** `npm run restarts` repeats it ten times, with many more servers. */
const RESTARTS = 3

afterAll(cleanUp)

function configure(): Readonly<Record<string, Json>> {
  const folder = mkdtempSync(join(tmpdir(), 'hintgate-restarts-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'files'))
  const own = '@modelcontextprotocol/server-'
  const program = (path: string, ...args: string[]): Json => ({
    command: process.execPath,
    args: [peerFile(path), ...args],
  })
  return {
    everything: program(`${own}everything/dist/index.js`, 'stdio'),
    files: program(`${own}filesystem/dist/index.js`, join(folder, 'files')),
    memory: {
      ...program(`${own}memory/dist/index.js`),
      env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    },
    context7: program('@upstash/context7-mcp/dist/index.js'),
  }
}

/** Requests everything that is pinned from every server; returns the number of tools of each. */
async function lookAtAll(gateway: Gateway, token: string, servers: readonly string[]): Promise<number[]> {
  const counts: number[] = []
  for (const server of servers) {
    const client = await new LegacyClient(gateway.endpoint(server), token).initialize()
    counts.push(toolNames(await client.request('tools/list')).length)
    for (const method of ['prompts/list', 'resources/templates/list']) await client.request(method)
  }
  return counts
}

describe('real servers', () => {
  it('list the same definitions after every start, so nothing is quarantined again', async () => {
    const mcpServers = configure()
    const servers = Object.keys(mcpServers)
    const site = new Site({ quarantine: true, mcpServers })
    const token = await site.token()
    const run = async (): Promise<number[]> => {
      const gateway = await startGatewayAt(site)
      const counts = await lookAtAll(gateway, token, servers)
      await gateway.stop()
      return counts
    }
    const waiting = async (): Promise<unknown[]> =>
      JSON.parse((await hintgate(['tools', 'review', '--json', ...site.flags])).stdout) as unknown[]

    expect(await run()).toEqual(servers.map(() => 0))
    expect((await waiting()).length).toBeGreaterThan(servers.length)
    await hintgate(['tools', 'approve', '--all', '--yes', ...site.flags])
    const first = await run()
    for (const count of first) expect(count).toBeGreaterThan(0)
    for (let time = 0; time < RESTARTS; time++) {
      expect(await run()).toEqual(first)
      expect(await waiting()).toEqual([])
    }
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readDefinition } from '@hintgate/metadata'
import { afterAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { gone } from '../support/launched.ts'
import { peerFile } from '../support/peers.ts'
import type { Json } from '../support/raw-mcp.ts'
import { SDK_V1, SDK_V2_AUTO } from '../support/sdk-clients.ts'

const MOUNTED = fileURLToPath(new URL('../../examples/mounted-server.mjs', import.meta.url))
const MEMORY = '@modelcontextprotocol/server-memory/dist/index.js'

const folder = mkdtempSync(join(tmpdir(), 'hintgate-mounted-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterAll(cleanUp)

describe.each([SDK_V1, SDK_V2_AUTO])('a mounted third-party server, used by $name', generation => {
  it('works as before, with the metadata of the overlay', async () => {
    const client = await generation.create({ capabilities: {} })
    const transport = (await generation.stdio(process.execPath, [
      MOUNTED,
      // Clients do not pass on the environment, so without this the server would write its file into our packages.
      'env',
      `MEMORY_FILE_PATH=${join(folder, `${generation.name}.jsonl`)}`,
      process.execPath,
      peerFile(MEMORY),
    ])) as { pid: number }
    await client.connect(transport)
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toContain('about')
    expect(names).toContain('memory_create_entities')
    expect(names).not.toContain('memory_add_observations')
    const deleting = tools.find(({ name }) => name === 'memory_delete_entities')
    expect(readDefinition(deleting).declared).toMatchObject({
      hints: { destructive: true, reversible: false },
      operations: ['delete'],
      tags: ['forget'],
    })
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote programs'] }]
    await client.callTool({ name: 'memory_create_entities', arguments: { entities } })
    const found = await client.callTool({ name: 'memory_search_nodes', arguments: { query: 'Ada' } })
    expect(JSON.stringify(found)).toContain('wrote programs')
    await client.callTool({ name: 'memory_delete_entities', arguments: { entityNames: ['Ada'] } })
    const about = (await client.callTool({ name: 'about', arguments: {} })).content as Json[]
    expect(about).toMatchObject([{ text: expect.stringContaining('server-memory') as string }])
    const { pid } = transport
    await client.close()
    await gone(pid)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Site, startReadyGateway } from '../support/gateway.ts'
import { type Finished, hintgate } from '../support/hintgate.ts'
import { Liar } from '../support/liar.ts'
import { READS } from '../support/scripted-server.ts'
import { openWitness } from '../support/witness.ts'

let site: Site

beforeAll(async () => {
  const witness = await openWitness()
  const peek = { name: 'peek', description: 'Looks.', inputSchema: { type: 'object' }, annotations: READS }
  const liar = new Liar('box', witness, [{ pages: [[peek]] }])
  const gateway = await startReadyGateway({ quarantine: true, mcpServers: { box: liar.config } })
  await gateway.says(/for review/)
  await gateway.stop()
  site = gateway.site
})
afterAll(cleanUp)

function tools(...args: readonly string[]): Promise<Finished> {
  return hintgate(['tools', ...args, ...site.flags])
}

describe('the history of a tool', () => {
  it('lists who set and removed overrides of the tool and of its server', async () => {
    await tools('override', 'box:peek', '--set', 'openWorldHint=true', '--by', 'ada')
    await tools('override', 'box:*', '--set', 'sensitiveHint=true', '--by', 'bob')
    await tools('override', 'box:peek', '--set', 'readOnlyHint=false', '--by', 'eve')
    await tools('override', 'box:peek', '--remove', '--by', 'mallory')
    const { stdout } = await tools('history', 'box:peek', '--json')
    const { overrides } = JSON.parse(stdout) as { overrides: readonly { at: string }[] }
    expect(overrides.map(({ at: _, ...rest }) => rest)).toEqual([
      { of: 'box:peek', hints: { openWorldHint: true }, by: 'ada' },
      { of: 'box:*', hints: { sensitiveHint: true }, by: 'bob' },
      { of: 'box:peek', hints: { readOnlyHint: false, openWorldHint: true }, by: 'eve' },
      { of: 'box:peek', by: 'mallory' },
    ])
    const shown = await tools('history', 'box:peek')
    expect(shown.stdout).toMatch(/box:peek +removed +mallory\n$/)
    expect(shown.stdout).toMatch(/box:peek +readOnlyHint=false,openWorldHint=true +eve\n/)
  })

  it('is not part of the exported overrides', async () => {
    await tools('override', 'box:peek', '--set', 'openWorldHint=true')
    const { stdout } = await tools('override', '--export')
    expect(JSON.parse(stdout)).toEqual({
      overrides: { box: { '*': { sensitiveHint: true }, peek: { openWorldHint: true } } },
    })
  })
})

import { afterAll, describe, expect, it } from 'vitest'
import { adminWith } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { ModernClient } from '../support/raw-mcp.ts'
import { READS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { openWitness } from '../support/witness.ts'

afterAll(cleanUp)

interface Row {
  readonly name: string
  readonly state: string
  readonly fingerprint: string
  readonly changes: readonly string[]
  readonly notice?: string
}

const READ = scripted('tidy')
const STRICTER = scripted('tidy', {
  annotations: { ...READS, readOnlyHint: false, destructiveHint: true, idempotentHint: false },
})

/** A gateway whose operator approved a tool that reads. */
async function setUp() {
  const server = new ScriptedServer('box', await openWitness(), [READ], { more: { trust: 'reviewed' } })
  const gateway = await startReadyGateway({ quarantine: true, mcpServers: { box: server.config } })
  const tools = (...args: readonly string[]) => hintgate(['tools', ...args, ...gateway.site.flags])
  const review = async () => JSON.parse((await tools('review', '--json')).stdout) as Row[]
  expect((await tools('approve', '--all', '--yes')).code).toBe(0)
  const client = new ModernClient(
    `${gateway.url}/mcp`,
    await gateway.site.token({ permissions: 'retrieve_tools,read,write,destructive' }),
  )
  const variant = async () => {
    const { result } = await client.call('describe_tool', { name: 'box:tidy' })
    return (result?.structuredContent as { call_with?: string } | undefined)?.call_with
  }
  await expect.poll(variant).toBe('call_tool_read')
  return { server, gateway, tools, review, variant }
}

describe('a tool that declared to read and now declares to destroy', () => {
  it('is listed as a notice until a person acknowledges it', async () => {
    const { server, gateway, tools, review, variant } = await setUp()
    expect((await tools('review')).stdout).toBe('Nothing waits for review.\n')
    server.change([STRICTER])
    await expect.poll(variant).toBe('call_tool_destructive')
    const [notice, ...others] = await review()
    expect(others).toEqual([])
    expect(notice).toMatchObject({ name: 'tidy', state: 'approved', notice: 'read → destructive' })
    expect(notice?.changes).toContain('▲ destructiveHint')
    const { stdout } = await tools('review')
    expect(stdout).toMatch(/^Nothing waits for review\.\n\nNOTICE +ID +FINGERPRINT/)
    expect(stdout).toMatch(/^read → destructive +box:tidy +[0-9a-f]{12} /m)
    expect(stdout).toContain('hintgate tools approve ID@FINGERPRINT')
    const admin = await adminWith(gateway, 'operator')
    expect((await admin.listReview({ query: {} })).items).toMatchObject([
      { name: 'tidy', state: 'approved', notice: 'read → destructive', diff: { verdict: 'tightened' } },
    ])
    // It holds nothing back.
    expect((await admin.overview({ query: {} })).waiting.tools).toBe(0)
    const done = await tools('approve', `box:tidy@${notice?.fingerprint.slice(0, 12)}`)
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect((await tools('review')).stdout).toBe('Nothing waits for review.\n')
    expect((await admin.listReview({ query: {} })).items).toEqual([])
    expect(await variant()).toBe('call_tool_destructive')
  })

  it('is not listed any more if it returns to the version that a person approved', async () => {
    const { server, review, variant } = await setUp()
    server.change([STRICTER])
    await expect.poll(variant).toBe('call_tool_destructive')
    expect(await review()).toHaveLength(1)
    server.change([READ])
    await expect.poll(variant).toBe('call_tool_read')
    expect(await review()).toEqual([])
  })

  it('is not listed if only other hints became stricter', async () => {
    const { server, tools, review } = await setUp()
    server.change([scripted('tidy', { annotations: { ...READS, openWorldHint: true } })])
    await expect.poll(async () => (await tools('history', 'box:tidy')).stdout).toContain('rule: ')
    expect(await review()).toEqual([])
  })
})

import type { AgentClient } from '@hintgate/agent'
import { openAiTools } from '@hintgate/agent/openai-agents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asServers, connect } from '../support/agents.ts'
import { cleanUp } from '../support/clean-up.ts'
import { startReadyGateway } from '../support/gateway.ts'
import { loadOpenAiAgents, type OpenAiAgents, type Turn } from '../support/model-frameworks.ts'
import { DESTROYS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let openai: OpenAiAgents
let witness: Witness
const agents: Record<string, AgentClient> = {}

const schema = {
  type: 'object',
  properties: { id: { type: 'string' } },
  required: ['id'],
  additionalProperties: false,
}
const tools = [
  scripted('look', { inputSchema: schema }),
  scripted('wipe', { inputSchema: schema, annotations: DESTROYS }),
]

beforeAll(async () => {
  openai = await loadOpenAiAgents()
  witness = await openWitness()
  const own = new ScriptedServer('own', witness, tools)
  agents.direct = await connect({ servers: asServers({ own: own.config }) })
  const hub = new ScriptedServer('hub', witness, tools)
  const gateway = await startReadyGateway({ confirm: {}, mcpServers: { hub: hub.config } })
  const token = await gateway.site.token()
  agents.behind = await connect({ servers: { gateway: { gateway: gateway.url, token } } })
})
afterAll(cleanUp)

const agentOf = (kind: string): AgentClient => agents[kind] as AgentClient

const callsOf = (server: string, tool: string, mark: string): number =>
  witness
    .of(server)
    .filter(({ method, raw }) => method === 'tools/call' && raw?.includes(`"${tool}"`) && raw.includes(mark))
    .length

describe.each([
  ['without a gateway', 'direct', 'own'],
  ['through a gateway', 'behind', 'hub'],
])('tools for the OpenAI Agents SDK, %s', (_what, kind, server) => {
  const call = (tool: string, id: string): Turn => [
    { name: `${server}__${tool}`, args: { id }, id: `call ${id}` },
  ]
  const loop = async (...turns: Turn[]) => openai.run(turns, await openAiTools(agentOf(kind)))

  it('run a read without an interruption', async () => {
    const { start, requests } = await loop(call('look', 'r1'), 'done')
    const run = await start('go')
    expect(run.interruptions).toEqual([])
    expect(run.finalOutput).toBe('done')
    await expect.poll(() => callsOf(server, 'look', 'r1')).toBe(1)
    expect(JSON.stringify(requests[1])).toContain('r1')
  })

  it('interrupt before a destructive call, and call the server once after the approval', async () => {
    const id = `w-${kind}`
    const { start, resume } = await loop(call('wipe', id), 'wiped')
    const waiting = await start('go')
    expect(waiting.interruptions.map(({ rawItem }) => rawItem.name)).toEqual([`${server}__wipe`])
    expect(callsOf(server, 'wipe', id)).toBe(0)
    for (const item of waiting.interruptions) waiting.state.approve(item)
    const done = await resume(waiting.state)
    expect(done.interruptions).toEqual([])
    expect(done.finalOutput).toBe('wiped')
    await expect.poll(() => callsOf(server, 'wipe', id)).toBe(1)
  })

  it('do not make a rejected call', async () => {
    const id = `n-${kind}`
    const { start, resume } = await loop(call('wipe', id), 'as you wish')
    const waiting = await start('go')
    for (const item of waiting.interruptions) waiting.state.reject(item)
    expect((await resume(waiting.state)).finalOutput).toBe('as you wish')
    expect(callsOf(server, 'wipe', id)).toBe(0)
  })

  it('resume a saved run, even in another process', async () => {
    const id = `s-${kind}`
    const first = await loop(call('wipe', id))
    const waiting = await first.start('go')
    for (const item of waiting.interruptions) waiting.state.approve(item)
    const second = await loop('wiped')
    const done = await second.resume(await second.restore(waiting.state.toString()))
    expect(done.finalOutput).toBe('wiped')
    await expect.poll(() => callsOf(server, 'wipe', id)).toBe(1)
  })
})

describe("the model's view of tools", () => {
  it('has the schema that the server sent', async () => {
    const { start, requests } = openai.run(['hello'], await openAiTools(agentOf('direct')))
    await start('go')
    const [request] = requests as { tools: { name: string; parameters: unknown }[] }[]
    expect(request?.tools.find(({ name }) => name === 'own__look')?.parameters).toEqual(schema)
  })

  it('has refusals as text, with code and remedy', async () => {
    const agent = await connect({
      servers: asServers({ gone: new ScriptedServer('gone', witness, tools).config }),
      audit: ({ kind }) => {
        if (kind === 'intent') throw new Error('disk full')
      },
    })
    const turns: Turn[] = [[{ name: 'gone__wipe', args: { id: 'x' }, id: 'c' }], 'sorry']
    const { start, resume, requests } = openai.run(turns, await openAiTools(agent))
    const waiting = await start('go')
    for (const item of waiting.interruptions) waiting.state.approve(item)
    await resume(waiting.state)
    expect(JSON.stringify(requests[1])).toContain('audit_failed: ')
    expect(callsOf('gone', 'wipe', 'x')).toBe(0)
  })
})

describe('an approval', () => {
  it('does not cover a later change of the tool', async () => {
    const server = new ScriptedServer('moving', witness, tools)
    const agent = await connect({ servers: asServers({ moving: server.config }) })
    const turns: Turn[] = [[{ name: 'moving__wipe', args: { id: 'y' }, id: 'c' }], 'hm']
    const { start, resume, requests } = openai.run(turns, await openAiTools(agent))
    const waiting = await start('go')
    server.change([scripted('wipe', { annotations: DESTROYS, description: 'Other words.' })])
    await expect.poll(async () => (await agent.tool('moving:wipe')).change?.kind).toBe('changed')
    for (const item of waiting.interruptions) waiting.state.approve(item)
    await resume(waiting.state)
    expect(callsOf('moving', 'wipe', 'y')).toBe(0)
    expect(JSON.stringify(requests[1])).toContain('tool_changed: ')
  })
})

import type { AgentClient } from '@hintgate/agent'
import { aiTools } from '@hintgate/agent/ai-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asServers, connect, textOf } from '../support/agents.ts'
import { cleanUp } from '../support/clean-up.ts'
import { startReadyGateway } from '../support/gateway.ts'
import { type AiGeneration, type AiSdk, loadAiSdk, type Turn } from '../support/model-frameworks.ts'
import type { Json } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let ai: AiSdk
let witness: Witness
const agents: Record<string, AgentClient> = {}

const schema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
const image = { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] }
const tools = [
  scripted('look', { inputSchema: schema }),
  scripted('wipe', { inputSchema: schema, annotations: DESTROYS }),
  scripted('paint', {}, { result: image }),
  scripted('fail', {}, { does: 'fail' }),
]

beforeAll(async () => {
  ai = await loadAiSdk()
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

interface Conversation {
  readonly turns: readonly Turn[]
  readonly messages: readonly Json[]
  readonly tools: Json
}

function generate({ turns, messages, tools: offered }: Conversation): Promise<AiGeneration> {
  return ai.generateText({ model: ai.model(turns), messages, tools: offered, stopWhen: ai.stepCountIs(5) })
}

const asks = ({ content }: AiGeneration): readonly string[] =>
  content.flatMap(part => (part.type === 'tool-approval-request' ? (part.approvalId ?? []) : []))

const asked = { role: 'user', content: 'go' }

describe.each([
  ['without a gateway', 'direct', 'own'],
  ['through a gateway', 'behind', 'hub'],
])('tools for the AI SDK, %s', (_what, kind, server) => {
  const call = (tool: string, id: string): Turn => [
    { name: `${server}__${tool}`, args: { id }, id: `call ${id}` },
  ]

  it('run a read without an approval', async () => {
    const offered = { ...(await aiTools(agentOf(kind))) }
    const done = await generate({ turns: [call('look', 'r1'), 'done'], messages: [asked], tools: offered })
    expect(asks(done)).toEqual([])
    expect(done.text).toBe('done')
    await expect.poll(() => callsOf(server, 'look', 'r1')).toBe(1)
    const result = done.steps[0]?.content.find(({ type }) => type === 'tool-result')
    expect(textOf(result?.output)).toContain('r1')
  })

  it('wait for the approval of a destructive call, and then call the server once', async () => {
    const offered = { ...(await aiTools(agentOf(kind))) }
    const id = `w-${kind}`
    const waiting = await generate({ turns: [call('wipe', id)], messages: [asked], tools: offered })
    const [approvalId] = asks(waiting)
    expect(approvalId).toBeDefined()
    expect(callsOf(server, 'wipe', id)).toBe(0)
    const response = { type: 'tool-approval-response', approvalId, approved: true }
    const messages = [asked, ...waiting.response.messages, { role: 'tool', content: [response] }]
    const done = await generate({ turns: ['wiped'], messages, tools: offered })
    expect(done.text).toBe('wiped')
    await expect.poll(() => callsOf(server, 'wipe', id)).toBe(1)
    // The same approval, sent again, has no effect.
    await generate({ turns: ['again'], messages, tools: offered })
    await expect.poll(() => callsOf(server, 'wipe', id)).toBe(1)
  })

  it('do not make a call that a person denied', async () => {
    const offered = { ...(await aiTools(agentOf(kind))) }
    const id = `n-${kind}`
    const waiting = await generate({ turns: [call('wipe', id)], messages: [asked], tools: offered })
    const response = { type: 'tool-approval-response', approvalId: asks(waiting)[0], approved: false }
    const messages = [asked, ...waiting.response.messages, { role: 'tool', content: [response] }]
    await generate({ turns: ['as you wish'], messages, tools: offered })
    expect(callsOf(server, 'wipe', id)).toBe(0)
  })
})

describe("the model's view of tools", () => {
  it('has the schema that the server sent', async () => {
    const model = ai.model(['hello'])
    await ai.generateText({ model, messages: [asked], tools: await aiTools(agentOf('direct')) })
    const look = model.doGenerateCalls[0]?.tools?.find(({ name }) => name === 'own__look')
    expect(look?.inputSchema).toEqual(schema)
    expect(look?.description).toBe('The tool look.')
  })

  it('has images as images, and failures as failures', async () => {
    const model = ai.model([
      [
        { name: 'own__paint', args: {}, id: 'p' },
        { name: 'own__fail', args: {}, id: 'f' },
      ],
      'seen',
    ])
    const offered = await aiTools(agentOf('direct'))
    await ai.generateText({ model, messages: [asked], tools: offered, stopWhen: ai.stepCountIs(3) })
    const told = JSON.stringify(model.doGenerateCalls[1]?.prompt)
    expect(told).toContain('"type":"image-data","data":"aGk=","mediaType":"image/png"')
    expect(told).toContain('"type":"error-text","value":"it failed"')
  })

  it('can be limited to some tools', async () => {
    const offered = await aiTools(agentOf('direct'), { only: tool => tool.variant === 'call_tool_read' })
    expect(Object.keys(offered)).toEqual(['own__look', 'own__paint', 'own__fail', 'own__echo'])
  })
})

describe('an approval', () => {
  it('does not cover a later change of the tool', async () => {
    const server = new ScriptedServer('moving', witness, [scripted('wipe', { annotations: DESTROYS })])
    const agent = await connect({ servers: asServers({ moving: server.config }) })
    const offered = { ...(await aiTools(agent)) }
    const turns: Turn[] = [[{ name: 'moving__wipe', args: {}, id: 'm1' }]]
    const waiting = await generate({ turns, messages: [asked], tools: offered })
    server.change([scripted('wipe', { annotations: DESTROYS, description: 'Wipes everything else, too.' })])
    await expect.poll(async () => (await agent.tool('moving:wipe')).change?.kind).toBe('changed')
    const response = { type: 'tool-approval-response', approvalId: asks(waiting)[0], approved: true }
    const messages = [asked, ...waiting.response.messages, { role: 'tool', content: [response] }]
    await generate({ turns: ['hm'], messages, tools: offered })
    expect(callsOf('moving', 'wipe', 'wipe')).toBe(0)
  })
})

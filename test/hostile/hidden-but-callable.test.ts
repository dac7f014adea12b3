import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, Site, startReadyGateway, startStdioGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import {
  type Json,
  LegacyClient,
  type Message,
  ModernClient,
  refusalOf,
  toolNames,
} from '../support/raw-mcp.ts'
import { ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { EVERYTHING, idsOf, retrieve } from '../support/search-client.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

// A caller cannot call what it is not shown, by any variant, meta-tool, surface or era (Agent Router 1.2.1, Bifrost
// #1940).

const TOOLS = [scripted('seen'), scripted('hidden_read'), scripted('hidden_write', { annotations: WRITES })]
const NAMES = ['hidden_read', 'hidden_write']

/** Why a tool is hidden. */
const REASONS = ['scope', 'server', 'quarantined', 'rejected', 'unknown'] as const
type Reason = (typeof REASONS)[number]

let witness: Witness
let gateway: Gateway
let tokens: Record<'all' | 'narrow' | 'other', string>
let piped: Site

beforeAll(async () => {
  witness = await openWitness()
  const open = new ScriptedServer('open', witness, TOOLS)
  const held = new ScriptedServer('held', witness, TOOLS, { more: { trust: 'reviewed' } })
  const out = new ScriptedServer('out', witness, TOOLS)
  const mcpServers = { open: open.config, held: held.config, out: out.config }
  gateway = await startReadyGateway({ quarantine: true, mcpServers })
  tokens = {
    all: await gateway.site.token({ permissions: EVERYTHING }),
    narrow: await gateway.site.token({ permissions: EVERYTHING, tools: 'seen' }),
    other: await gateway.site.token({ permissions: EVERYTHING, servers: 'held' }),
  }
  for (const name of NAMES) {
    const { code, stderr } = await hintgate(['tools', 'reject', `out:${name}`, ...gateway.site.flags])
    if (code !== 0) throw new Error(stderr)
  }
  await gateway.says(/\bout: 2 tools wait/)
  const quiet = new ScriptedServer('piped', witness, TOOLS, { more: { trust: 'reviewed' } })
  piped = new Site({ quarantine: true, mcpServers: { held: quiet.config } })
})
afterAll(cleanUp)

/** The token that asks, the server, and the expected code. */
const CASES: Record<Reason, { token: 'all' | 'narrow' | 'other'; server: string; code: string }> = {
  scope: { token: 'narrow', server: 'open', code: 'unknown_tool' },
  server: { token: 'other', server: 'open', code: 'unknown_tool' },
  quarantined: { token: 'all', server: 'held', code: 'quarantined' },
  rejected: { token: 'all', server: 'out', code: 'quarantined' },
  unknown: { token: 'all', server: 'nowhere', code: 'unknown_tool' },
}

/** Every way to name a tool in a call: path, called tool, arguments. */
function waysTo(server: string, tool: string): readonly (readonly [string, string, Json])[] {
  const id = `${server}:${tool}`
  return [
    ['/mcp', 'call_tool_read', { name: id, args: {} }],
    ['/mcp', 'call_tool_write', { name: id, args: {} }],
    ['/mcp', 'call_tool_destructive', { name: id, args: {} }],
    ['/mcp', 'describe_tool', { name: id }],
    ['/mcp', 'call_tools_read', { calls: [{ name: id, args: {} }] }],
    ['/mcp/direct', `${server}__${tool}`, {}],
    [`/mcp/servers/${server}`, tool, {}],
  ]
}

/** The code of a refusal, or of the only call of a batch. */
function codeOf(message: Message): string | undefined {
  const parts = message.result?.structuredContent as { results?: { error?: { code: string } }[] } | undefined
  return refusalOf(message) ?? parts?.results?.[0]?.error?.code
}

async function ask(url: string, token: string, era: string): Promise<ModernClient | LegacyClient> {
  if (era === 'modern') return new ModernClient(url, token)
  return new LegacyClient(url, token).initialize()
}

describe.each(['modern', 'legacy'])('a tool that is hidden from a %s client', era => {
  it.each(REASONS)('cannot be called in any way: %s', async reason => {
    const { token, server, code } = CASES[reason]
    for (const tool of NAMES) {
      for (const [path, called, args] of waysTo(server, tool)) {
        const url = `${gateway.url}${path}`
        const isNoDoor = path.endsWith(`/${server}`) && (reason === 'server' || reason === 'unknown')
        if (isNoDoor) {
          const reply = new ModernClient(url, tokens[token]).openCall(called, args)
          await reply.closed
          expect([path, reply.status]).toEqual([path, 404])
          continue
        }
        const answer = await (await ask(url, tokens[token], era)).call(called, args)
        // A held tool is not described; the answer does not even reveal that it exists.
        const wanted = called === 'describe_tool' ? 'unknown_tool' : code
        expect([path, called, codeOf(answer)]).toEqual([path, called, wanted])
        // No caller sees any text of a held definition.
        if (code === 'quarantined') expect(JSON.stringify(answer)).not.toContain('The tool hidden')
      }
    }
    const calls = witness.sightings.filter(
      ({ method, raw }) => method === 'tools/call' && raw?.includes('hidden'),
    )
    expect(calls).toEqual([])
  })

  it.each(['scope', 'server', 'quarantined', 'rejected'] as const)(
    'is in no list and no search result: %s',
    async reason => {
      const { token, server } = CASES[reason]
      const search = await ask(`${gateway.url}/mcp`, tokens[token], era)
      for (const query of ['', 'hidden', 'hidden_read', `${server}:hidden_write`]) {
        const found = await retrieve(search, query, { limit: 50, detail: 'full' })
        expect(idsOf(found).filter(id => id.startsWith(`${server}:hidden`))).toEqual([])
      }
      const direct = await (await ask(`${gateway.url}/mcp/direct`, tokens[token], era)).request('tools/list')
      expect(toolNames(direct).filter(name => name.startsWith(`${server}__hidden`))).toEqual([])
    },
  )
})

describe('a tool that waits for review', () => {
  it('cannot be called over a pipe', async () => {
    const client = new StdioClient(startStdioGateway(piped))
    await client.initialize()
    const asked = { name: 'held:hidden_read', args: {} }
    const answer = await client.request('tools/call', { name: 'call_tool_read', arguments: asked })
    expect(refusalOf(answer)).toBe('quarantined')
    expect(witness.of('piped').filter(({ method }) => method === 'tools/call')).toEqual([])
    await client.leave()
  })

  it('cannot be called by the command', async () => {
    const { code } = await hintgate(['call', 'held:hidden_read', '{}', ...piped.flags])
    expect(code).toBe(10)
    expect(witness.of('piped').filter(({ method }) => method === 'tools/call')).toEqual([])
  })

  it('does not affect an approved tool beside it, which can be called in all these ways', async () => {
    for (const [path, called, args] of waysTo('open', 'seen')) {
      if (/destructive|write/.test(called)) continue
      const answer = await new ModernClient(`${gateway.url}${path}`, tokens.narrow).call(called, args)
      expect([path, called, codeOf(answer)]).toEqual([path, called, undefined])
    }
    await witness.saw('open', 'received', ({ method }) => method === 'tools/call')
  })
})

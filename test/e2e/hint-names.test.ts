import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { type Json, ModernClient, refusalOf } from '../support/raw-mcp.ts'
import { READS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { dataOf, EVERYTHING, retrieve, searchUrl } from '../support/search-client.ts'
import { openWitness } from '../support/witness.ts'

const META_HINTS = 'io.hintgate/hints'
const SPEC_NAMES = ['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint']

const TOOLS = [
  scripted('payroll', { annotations: { ...READS, sensitiveHint: true, egressHint: false } }),
  scripted('parcel', { annotations: { ...WRITES, egressHint: true, reversibleHint: false } }),
  scripted('page', { annotations: { ...READS, openWorldHint: true } }),
  scripted('plain', { annotations: READS }),
  scripted('bare', {
    annotations: { title: 'Bare', readOnly: true, destructive: false, idempotent: true, audience: 'all' },
  }),
]

let gateway: Gateway
let token: string

beforeAll(async () => {
  const witness = await openWitness()
  const server = new ScriptedServer('names', witness, TOOLS)
  const overrides = { s: { plain: { sensitiveHint: true } } }
  gateway = await startReadyGateway({ confirm: {}, overrides, mcpServers: { s: server.config } })
  token = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

async function listed(url: string): Promise<ReadonlyMap<string, Json>> {
  const { result } = await new ModernClient(url, token).request('tools/list', {})
  const tools = (result?.tools ?? []) as (Json & { name: string })[]
  return new Map(tools.map(tool => [tool.name.replace(/^s__/, ''), tool]))
}

const run = async (...args: string[]): Promise<string> =>
  (await hintgate([...args, ...gateway.site.flags])).stdout

describe('risk hints in annotations', () => {
  it('count like those in _meta: private data and a page keep a session from sending', async () => {
    const client = new ModernClient(gateway.endpoint('s'), token)
    for (const name of ['page', 'parcel'])
      expect(refusalOf(await client.call(name, {}))).toBe(
        name === 'parcel' ? 'confirmation_required' : undefined,
      )
    const fresh = (name: string) => client.call(name, {}, { meta: { 'io.hintgate/session': 'two' } })
    expect(refusalOf(await fresh('payroll'))).toBeUndefined()
    const found = dataOf<{ session_risk: Json }>(
      await new ModernClient(searchUrl(gateway), token).call(
        'retrieve_tools',
        { query: 'payroll' },
        { meta: { 'io.hintgate/session': 'two' } },
      ),
    )
    expect(found.session_risk).toMatchObject({
      riskFactors: [{ factor: 'private_data', tool: 's:payroll', basis: 'declared' }],
    })
  })

  it.each([
    ['payroll', { sensitiveHint: true, egressHint: false }, 'declared'],
    ['parcel', { egressHint: true, reversibleHint: false }, 'declared'],
    ['plain', { sensitiveHint: true }, 'override'],
  ])('of "%s" are shown to agents by value and source', async (name, hints, source) => {
    const client = new ModernClient(searchUrl(gateway), token)
    const [found] = (await retrieve(client, `s:${name}`, { limit: 1 })).tools
    const described = dataOf(await client.call('describe_tool', { name: `s:${name}` }))
    const direct = (await listed(gateway.endpoint())).get(name)
    const remarks = direct?._meta as Record<string, Json>
    const sources = Object.fromEntries(Object.keys(hints).map(hint => [hint, source]))
    for (const shown of [found, described, remarks['io.hintgate/effective']])
      expect(shown).toMatchObject({ risk_hints: hints, sources })
    expect(remarks[META_HINTS]).toEqual(hints)
    expect((await listed(gateway.endpoint('s'))).get(name)?._meta).toMatchObject({ [META_HINTS]: hints })
  })

  it('are shown by hintgate tools list and show', async () => {
    const table = await run('tools', 'list')
    expect(table).toMatch(/s:payroll .* – +sens /)
    expect(table).toMatch(/s:parcel .* – +egr /)
    expect(table).toMatch(/s:plain .*sens! /)
    expect(table).toContain('rev reversible, egr egress, sens sensitive')
    expect(await run('tools', 'show', 's:payroll')).toMatch(/sensitive +yes +declared/)
    expect(await run('tools', 'show', 's:plain')).toMatch(/sensitive +yes +override/)
    expect(await run('tools', 'show', 's:page')).toMatch(/egress +yes +assumed/)
    const json = JSON.parse(await run('tools', 'list', '--json')) as Json[]
    expect(json.find(({ id }) => id === 's:payroll')).toMatchObject({ risk_hints: { sensitiveHint: true } })
  })
})

describe('the annotations of a listed tool', () => {
  it.each(['direct', 'server'])('have hints under the names of the specification only: %s', async surface => {
    const tools = await listed(gateway.endpoint(surface === 'server' ? 's' : undefined))
    for (const { annotations } of tools.values()) {
      const { title: _, audience: __, ...hints } = annotations as Json
      expect(Object.keys(hints).sort()).toEqual(SPEC_NAMES)
    }
    expect(tools.get('bare')?.annotations).toMatchObject({
      title: 'Bare',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      audience: 'all',
    })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startGateway, startGatewayAt, startReadyGateway } from '../support/gateway.ts'
import { type Finished, hintgate } from '../support/hintgate.ts'
import { Liar, type Said } from '../support/liar.ts'
import { type Json, LegacyClient, ModernClient } from '../support/raw-mcp.ts'
import { DESTROYS, READS } from '../support/scripted-server.ts'
import { dataOf, EVERYTHING, refusal, searchUrl } from '../support/search-client.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness

beforeAll(async () => {
  witness = await openWitness()
})
afterAll(cleanUp)

function tool(name: string, description = `The tool ${name}.`, annotations: Json = DESTROYS): Json {
  return { name, description, inputSchema: { type: 'object' }, annotations }
}

const HONEST = tool('drop', 'Drops a table.')
const POISON = tool('drop', 'Drops a table. Poison.')
const one = (...tools: readonly Json[]): Said => ({ pages: [tools] })

let liars = 0
const nextName = (): string => `odd-${++liars}`

/** A gateway with one lying server, its operator, and an agent. */
class Scene {
  readonly liar: Liar
  readonly gateway: Gateway
  readonly token: string

  constructor(liar: Liar, gateway: Gateway, token: string) {
    this.liar = liar
    this.gateway = gateway
    this.token = token
  }

  operator(...args: readonly string[]): Promise<Finished> {
    return hintgate(['tools', ...args, ...this.gateway.site.flags])
  }

  agent(): ModernClient {
    return new ModernClient(searchUrl(this.gateway), this.token)
  }

  /** Makes a call; returns `called`, or the code of the refusal. */
  async call(name: string, { args = {}, session = 's' }: { args?: Json; session?: string } = {}) {
    const params = { name: 'call_tool_destructive', arguments: { name: `${this.liar.name}:${name}`, args } }
    const meta = { 'io.hintgate/session': session }
    const message = await this.agent().request('tools/call', params, { meta })
    return message.result?.isError === true ? refusal(message).code : 'called'
  }

  /** The calls of a tool that reached the server, in any process. */
  reached(name: string): number {
    const calls = witness.of(this.liar.name).filter(({ method }) => method === 'tools/call')
    return calls.filter(({ raw }) => raw?.includes(`"name":"${name}"`)).length
  }
}

/** A scene in which everything that the server lists at first is approved. */
async function approved(starts: readonly Said[], more: Json = {}, era: 'legacy' | 'modern' = 'legacy') {
  const liar = new Liar(nextName(), witness, starts, { more, era })
  const gateway = await startReadyGateway({ quarantine: true, mcpServers: { [liar.name]: liar.config } })
  const scene = new Scene(liar, gateway, await gateway.site.token({ permissions: EVERYTHING }))
  await gateway.says(/for review/)
  await scene.operator('approve', `${liar.name}:*`, '--yes')
  return scene
}

describe('a server with different definitions of one tool', () => {
  it('on two pages cannot have that tool called, even if it is approved', async () => {
    const scene = await approved([
      {
        pages: [
          [HONEST, tool('same')],
          [tool('same'), POISON],
        ],
      },
    ])
    await expect.poll(() => scene.call('same')).toBe('called')
    expect(await scene.call('drop')).toBe('quarantined')
    await scene.operator('approve', `${scene.liar.name}:drop`)
    // Once this decision has taken effect, so has the one before it.
    await scene.operator('disable', `${scene.liar.name}:same`)
    await expect.poll(() => scene.call('same')).toBe('quarantined')
    expect(await scene.call('drop')).toBe('quarantined')
    expect(scene.reached('drop')).toBe(0)
  })

  it('does not count as such for pages in another order or of other lengths', async () => {
    const [a, b, c] = [tool('a'), tool('b'), tool('c')]
    const scene = await approved([{ pages: [[a, b], [c]] }])
    await expect.poll(() => scene.call('a')).toBe('called')
    const before = scene.liar.timesListed
    scene.liar.announce([{ pages: [[c], [b], [a]] }])
    await expect.poll(() => scene.liar.timesListed).toBeGreaterThanOrEqual(before + 3)
    for (const name of ['a', 'b', 'c']) expect(await scene.call(name)).toBe('called')
  })

  it('before and after a restart is asked for its list before it gets the next call', async () => {
    const leave = tool('leave')
    const scene = await approved([one(HONEST, leave), one(POISON, leave)])
    await expect.poll(() => scene.call('drop')).toBe('called')
    expect(await scene.call('leave')).toBe('called')
    await scene.gateway.says(/is down/)
    // This call restarts the server, not the gateway on its own.
    expect(await scene.call('drop')).toBe('quarantined')
    expect(scene.reached('drop')).toBe(1)
  })

  it('in the process of one session has it quarantined in that session', async () => {
    const scene = await approved([one(HONEST), one(HONEST), one(POISON)], { isolation: 'session' })
    await expect.poll(() => scene.call('drop', { session: 'honest' })).toBe('called')
    expect(await scene.call('drop', { session: 'poisoned' })).toBe('quarantined')
    expect(await scene.call('drop', { session: 'honest' })).toBe('called')
    expect(scene.reached('drop')).toBe(2)
  })

  it('that changes it during a session has it quarantined there', async () => {
    const scene = await approved([one(HONEST)], { isolation: 'session' })
    await expect.poll(() => scene.call('drop')).toBe('called')
    scene.liar.announce([one(HONEST), one(POISON)])
    await expect.poll(() => scene.call('drop')).toBe('quarantined')
  })

  it('for different clients shows them only the approved one', async () => {
    const said = { pages: [[HONEST]], clients: { raw: [[POISON, tool('extra')]] } }
    const scene = await approved([said], {}, 'modern')
    await expect.poll(() => scene.call('drop')).toBe('called')
    const own = new ModernClient(scene.gateway.endpoint(scene.liar.name), scene.token)
    const seen = [
      await scene.agent().call('retrieve_tools', { query: 'drop a table, poison, extra' }),
      await scene.agent().call('describe_tool', { name: `${scene.liar.name}:drop` }),
      await own.request('tools/list'),
    ]
    expect(JSON.stringify(seen)).toContain('Drops a table.')
    expect(JSON.stringify(seen)).not.toMatch(/Poison|The tool extra/)
    expect(await scene.call('extra')).toBe('unknown_tool')
  })
})

describe('a call that runs while its tool changes', () => {
  it('is finished, and the next one is refused', async () => {
    const scene = await approved([one(tool('hold'), tool('beside'))])
    await expect.poll(() => scene.call('beside')).toBe('called')
    const running = scene.call('hold')
    await witness.saw(scene.liar.name, 'hanging')
    scene.liar.announce([one(tool('hold', 'Poison.'), tool('beside', 'Poison.'))])
    await expect.poll(() => scene.call('beside')).toBe('quarantined')
    expect(await scene.call('hold')).toBe('quarantined')
    witness.tell(scene.liar.name, { kind: 'release' })
    expect(await running).toBe('called')
    expect(scene.reached('hold')).toBe(1)
  })
})

describe('a rejected definition', () => {
  it('stays unavailable without quarantine: tools, prompts, templates, instructions', async () => {
    const said: Said = {
      pages: [[HONEST, tool('keep')]],
      prompts: [{ name: 'bad-prompt' }, { name: 'good-prompt' }],
      templates: [
        { uriTemplate: 'bad://{x}', name: 'bad-template' },
        { uriTemplate: 'good://{x}', name: 'good-template' },
      ],
      instructions: 'Bad instructions.',
    }
    const scene = await approved([said])
    const { site } = scene.gateway
    const client = await new LegacyClient(scene.gateway.endpoint(scene.liar.name), scene.token).initialize()
    for (const method of ['prompts/list', 'resources/templates/list']) await client.request(method)
    const { name } = scene.liar
    const bad = ['drop', 'bad-prompt', 'bad://{x}', 'instructions'].map(one => `${name}:${one}`)
    const done = await scene.operator('reject', ...bad, '--yes')
    expect([done.code, done.stderr]).toEqual([0, ''])
    await scene.gateway.stop()

    site.configure({ quarantine: false, mcpServers: { [name]: scene.liar.config } })
    const gateway = await startGatewayAt(site)
    const later = new Scene(scene.liar, gateway, scene.token)
    const again = await new LegacyClient(gateway.endpoint(name), scene.token).initialize()
    expect(again.greeting.result).toBeDefined()
    expect(again.greeting.result?.instructions).toBeUndefined()
    expect(JSON.stringify((await again.request('prompts/list')).result?.prompts)).toMatch(
      /^\[[^,]*good-prompt"}\]$/,
    )
    expect(JSON.stringify(await again.request('resources/templates/list'))).not.toContain('bad')
    expect(JSON.stringify(await again.request('resources/templates/list'))).toContain('good-template')
    expect((await again.request('prompts/get', { name: 'bad-prompt' })).error).toBeDefined()
    expect((await again.request('prompts/get', { name: 'good-prompt' })).error).toBeUndefined()
    expect(await later.call('drop')).toBe('quarantined')
    expect(await later.call('keep')).toBe('called')
  })
})

describe('a rejected version of a tool', () => {
  it('is not called in the process of a session, even without quarantine', async () => {
    const starts = [one(POISON), one(HONEST), one(HONEST), one(POISON)]
    const scene = await approved(starts)
    const { name } = scene.liar
    await scene.operator('reject', `${name}:drop`)
    await scene.gateway.stop()
    const config = { ...scene.liar.config, isolation: 'session' }
    scene.gateway.site.configure({ quarantine: false, mcpServers: { [name]: config } })
    const again = await startGatewayAt(scene.gateway.site)
    await again.says(/is ready/)
    const later = new Scene(scene.liar, again, scene.token)
    expect(await later.call('drop', { session: 'honest' })).toBe('called')
    expect(await later.call('drop', { session: 'poisoned' })).toBe('quarantined')
    expect(later.reached('drop')).toBe(1)
  })
})

describe('a definition that has no canonical form', () => {
  it('cannot be approved, by name or by filter', async () => {
    const scene = await approved([one(tool('odd', 'Half a letter: \uD800'), tool('even'))])
    await expect.poll(() => scene.call('even')).toBe('called')
    const id = `${scene.liar.name}:odd`
    const named = await scene.operator('approve', id)
    expect([named.code, named.stderr]).toEqual([1, expect.stringContaining('cannot be approved')])
    const all = await scene.operator('approve', '--all', '--yes')
    expect([all.code, all.stderr]).toEqual([1, expect.stringContaining('cannot be approved')])
    expect(await scene.call('odd')).toBe('quarantined')
    expect(scene.reached('odd')).toBe(0)
  })
})

describe('an override that is set while the gateway runs', () => {
  it('applies at once even if it does not change the list of tools', async () => {
    const scene = await approved([one(tool('peek', 'Looks.', READS))])
    await expect.poll(() => scene.call('peek')).toBe('called')
    const riskFactors = async (session: string): Promise<string> => {
      const meta = { 'io.hintgate/session': session }
      await scene.call('peek', { session })
      const found = await scene
        .agent()
        .request('tools/call', { name: 'retrieve_tools', arguments: { query: 'x' } }, { meta })
      return JSON.stringify(dataOf(found).session_risk)
    }
    expect(await riskFactors('before')).not.toMatch(
      /"factor":"private_data","tool":"[^"]*","basis":"declared"/,
    )
    await scene.operator('override', `${scene.liar.name}:peek`, '--set', 'sensitiveHint=true')
    let sessions = 0
    await expect
      .poll(() => riskFactors(`after-${++sessions}`))
      .toMatch(/"factor":"private_data","tool":"[^"]*","basis":"declared"/)
  })
})

describe('a server that is still starting', () => {
  it('does not delay calls of other servers', async () => {
    const liar = new Liar(nextName(), witness, [one(tool('keep'))], { more: { trust: 'trusted' } })
    const slow = {
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 1000)'],
      startTimeout: '30s',
    }
    const gateway = await startGateway({ quarantine: true, mcpServers: { slow, [liar.name]: liar.config } })
    await gateway.says(new RegExp(`${liar.name} is ready`))
    const scene = new Scene(liar, gateway, await gateway.site.token({ permissions: EVERYTHING }))
    const waited = startWatch(gateway.pid)
    expect(await scene.call('keep')).toBe('called')
    expect(waited()).toBeLessThan(3000)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, Site, startReadyGateway, startStdioGateway } from '../support/gateway.ts'
import { type Id, type Json, LegacyClient, ModernClient, textOf } from '../support/raw-mcp.ts'
import { ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { EVERYTHING, searchUrl } from '../support/search-client.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let gateway: Gateway
let token: string

const TOOLS = [
  scripted('read', {}, { does: 'hold' }),
  scripted('write', { annotations: WRITES }, { does: 'hold' }),
]
const ORDERLY = { more: { parallel: 'exclusive-writes' } }

beforeAll(async () => {
  witness = await openWitness()
  const servers = [
    new ScriptedServer('orderly', witness, TOOLS, ORDERLY),
    new ScriptedServer('orderly2026', witness, TOOLS, { ...ORDERLY, era: 'modern' }),
    new ScriptedServer('free', witness, TOOLS),
  ]
  gateway = await startReadyGateway({
    mcpServers: Object.fromEntries(servers.map(server => [server.name, server.config])),
  })
  token = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

const holds = (server: string, me: string) =>
  witness.saw(server, 'hanging', ({ args }) => (args as { me: string }).me === me)
/** The held calls with the number of others, in order of arrival. */
const history = (server: string, prefix = ''): readonly string[] =>
  witness.of(server, 'hanging').flatMap(({ args }) => {
    const { me, together } = args as { me: string; together: number }
    return me.startsWith(prefix) ? [`${me.slice(prefix.length)} (${together})`] : []
  })
const release = (server: string): void => witness.tell(server, { kind: 'release' })

/** A single pipe delivers in order, so nothing here depends on timing. */
class Pipe {
  readonly client: StdioClient
  readonly #server: string
  #fences = 0

  constructor(name: string) {
    this.#server = `piped-${name}`
    const server = new ScriptedServer(this.#server, witness, TOOLS, ORDERLY)
    const site = new Site({ mcpServers: { s: server.config } })
    this.client = new StdioClient(startStdioGateway(site))
  }

  call(variant: 'read' | 'write', me: string): Id {
    const args = { name: `s:${variant}`, args: { me } }
    return this.client.start('tools/call', { name: `call_tool_${variant}`, arguments: args })
  }

  /** A call of another session never waits, so its arrival proves that everything sent earlier has arrived. */
  async settle(): Promise<void> {
    const mark = `fence ${++this.#fences}`
    const params = { name: 'call_tool_read', arguments: { name: 's:echo', args: { mark } } }
    this.client.startModern('tools/call', params, {}, { 'io.hintgate/session': 'fence' })
    await witness.saw(this.#server, 'received', ({ raw }) => raw?.includes(mark) ?? false)
  }

  async holding(...names: readonly string[]): Promise<void> {
    for (const me of names) await holds(this.#server, me)
    await this.settle()
  }

  release(): void {
    release(this.#server)
  }

  get history(): readonly string[] {
    return history(this.#server)
  }
}

describe('with exclusive writes in one session', () => {
  it('reads run together, and writes alone and in order', async () => {
    const pipe = new Pipe('order')
    await pipe.client.initialize()
    const ids = [
      pipe.call('write', 'w1'),
      pipe.call('read', 'r2'),
      pipe.call('read', 'r3'),
      pipe.call('write', 'w4'),
      pipe.call('write', 'w5'),
      pipe.call('read', 'r6'),
    ]
    await pipe.holding('w1')
    expect(pipe.history).toEqual(['w1 (1)'])
    pipe.release()
    await pipe.holding('r2', 'r3')
    expect(pipe.history).toEqual(['w1 (1)', 'r2 (1)', 'r3 (2)'])
    for (const next of ['w4', 'w5', 'r6']) {
      pipe.release()
      await pipe.holding(next)
    }
    expect(pipe.history.slice(3)).toEqual(['w4 (1)', 'w5 (1)', 'r6 (1)'])
    pipe.release()
    const answers = await Promise.all(ids.map(id => pipe.client.answerTo(id)))
    expect(answers.map(answer => (JSON.parse(textOf(answer)) as Json).me)).toEqual([
      'w1',
      'r2',
      'r3',
      'w4',
      'w5',
      'r6',
    ])
    await pipe.client.leave()
  })

  it('a read that comes after a waiting write waits for it', async () => {
    const pipe = new Pipe('fair')
    await pipe.client.initialize()
    const [, , last] = [pipe.call('read', 'r1'), pipe.call('write', 'w2'), pipe.call('read', 'r3')]
    await pipe.holding('r1')
    expect(pipe.history).toEqual(['r1 (1)'])
    pipe.release()
    await pipe.holding('w2')
    pipe.release()
    await pipe.holding('r3')
    expect(pipe.history).toEqual(['r1 (1)', 'w2 (1)', 'r3 (1)'])
    pipe.release()
    expect(textOf(await pipe.client.answerTo(last ?? 0))).toContain('r3')
    await pipe.client.leave()
  })

  it('a write that is cancelled while it waits never runs, and the next one moves up', async () => {
    const pipe = new Pipe('cancel')
    await pipe.client.initialize()
    const [, second] = [pipe.call('read', 'r1'), pipe.call('write', 'w2'), pipe.call('read', 'r3')]
    await pipe.holding('r1')
    pipe.client.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: second } })
    await pipe.holding('r3')
    expect(pipe.history).toEqual(['r1 (1)', 'r3 (2)'])
    pipe.release()
    await pipe.client.leave()
  })

  it('a write that is cancelled while it runs lets the next one run', async () => {
    const pipe = new Pipe('abandon')
    await pipe.client.initialize()
    const [first] = [pipe.call('write', 'w1'), pipe.call('write', 'w2')]
    await pipe.holding('w1')
    pipe.client.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: first } })
    await pipe.holding('w2')
    expect(pipe.history).toEqual(['w1 (1)', 'w2 (1)'])
    pipe.release()
    await pipe.client.leave()
  })
})

const inSession = (name: string, url = searchUrl(gateway)) => {
  const client = new ModernClient(url, token)
  return (server: string, kind: 'read' | 'write', me: string) =>
    client.openCall(
      `call_tool_${kind}`,
      { name: `${server}:${kind}`, args: { me } },
      { meta: { 'io.hintgate/session': name } },
    )
}

describe('other sessions are not delayed', () => {
  it.each(['orderly', 'orderly2026'])('for modern clients that name them, at %s', async server => {
    const [mine, yours] = [inSession(`mine ${server}`), inSession(`yours ${server}`)]
    const replies = [mine(server, 'write', 'modern mine')]
    await holds(server, 'modern mine')
    replies.push(yours(server, 'write', 'modern yours'))
    await holds(server, 'modern yours')
    expect(history(server, 'modern ')).toEqual(['mine (1)', 'yours (2)'])
    release(server)
    for (const reply of replies) expect((await reply.answer()).result?.isError).not.toBe(true)
  })

  it.each(['orderly', 'orderly2026'])('for legacy clients, at %s', async server => {
    const [mine, yours] = await Promise.all(
      [0, 1].map(() => new LegacyClient(searchUrl(gateway), token).initialize()),
    )
    const write = (client: LegacyClient | undefined, me: string) =>
      client?.openCall('call_tool_write', { name: `${server}:write`, args: { me } })
    const replies = [write(mine, 'legacy mine')]
    await holds(server, 'legacy mine')
    replies.push(write(yours, 'legacy yours'))
    await holds(server, 'legacy yours')
    expect(history(server, 'legacy ')).toEqual(['mine (1)', 'yours (2)'])
    release(server)
    for (const reply of replies) expect((await reply?.answer())?.result?.isError).not.toBe(true)
  })
})

describe('a session', () => {
  it('is the same over every surface', async () => {
    const search = inSession('doors')
    const direct = new ModernClient(gateway.endpoint(), token)
    const first = search('orderly', 'write', 'doors search')
    await holds('orderly', 'doors search')
    const meta = { 'io.hintgate/session': 'doors' }
    const second = direct.openCall('orderly__write', { me: 'doors direct' }, { meta })
    // The third call, which may pass, shows that the second could have arrived.
    const third = inSession('passing')('orderly', 'write', 'doors passing')
    await holds('orderly', 'doors passing')
    expect(history('orderly', 'doors ')).toEqual(['search (1)', 'passing (2)'])
    release('orderly')
    await Promise.all([first.answer(), third.answer()])
    await holds('orderly', 'doors direct')
    release('orderly')
    expect(textOf(await second.answer())).toContain('doors direct')
  })

  it('runs its batches of reads in parallel', async () => {
    const client = new ModernClient(searchUrl(gateway), token)
    const calls = [1, 2, 3].map(n => ({ name: 'orderly:read', args: { me: `batch ${n}` } }))
    const reply = client.openCall('call_tools_read', { calls }, { meta: { 'io.hintgate/session': 'batch' } })
    for (const { args } of calls) await holds('orderly', args.me)
    release('orderly')
    expect((await reply.answer()).result?.structuredContent).toMatchObject({ succeeded: 3 })
  })

  it('never waits at a server without serialised writes', async () => {
    const call = inSession('free')
    const replies = ['one', 'two'].map(me => call('free', 'write', me))
    await Promise.all([holds('free', 'one'), holds('free', 'two')])
    release('free')
    for (const reply of replies) expect((await reply.answer()).result?.isError).not.toBe(true)
  })
})

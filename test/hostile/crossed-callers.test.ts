import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { LegacyClient, ModernClient, textOf } from '../support/raw-mcp.ts'
import { openWitness, type Witness } from '../support/witness.ts'
import { talkative } from './talkative.ts'

// On a pipe, a question or a log line does not tell which call it belongs to. What may concern one caller is shown to
// no other caller: not while a call waits, and not after it was cancelled or answered.

const ASKABLE = { elicitation: { form: {} } }
const LOGS = { meta: { 'io.modelcontextprotocol/logLevel': 'debug' } }
/** One server for each test, because earlier callers matter. */
const SERVERS = [
  'called-off',
  'called-off-too',
  'waiting',
  'answered',
  'watched',
  'alone',
  'sessions',
  'scoped',
]

let gateway: Gateway
let witness: Witness
let bob: string
let eve: string

beforeAll(async () => {
  witness = await openWitness()
  const servers = SERVERS.map(name => [name, talkative(name, witness)] as const)
  const own = talkative('own', witness, { isolation: 'session' })
  gateway = await startReadyGateway({ mcpServers: { ...Object.fromEntries(servers), own } })
  bob = await gateway.site.token()
  eve = await gateway.site.token()
})
afterAll(cleanUp)

const clientOf = (token: string, server: string) => new ModernClient(gateway.endpoint(server), token, ASKABLE)

/** Starts a call that lasts until the returned function releases it. */
async function hold(server: string, token: string) {
  const call = clientOf(token, server).openCall('hold', { token }, LOGS)
  await witness.saw(server, 'hanging', ({ args }) => (args as { token: string }).token === token)
  return async (): Promise<string> => {
    witness.tell(server, { kind: 'release' })
    await call.closed
    return call.text
  }
}

const questionAnswered = (server: string) =>
  witness.saw(server, 'received', ({ method }) => method === 'answer to elicitation/create')

async function listen(server: string, token: string) {
  const client = await new LegacyClient(gateway.endpoint(server), token).initialize()
  return { client, stream: await client.listen() }
}

describe('a question of a shared server', () => {
  it.each([
    ['caller', 'called-off'],
    ['session of the same caller', 'called-off-too'],
  ])('for a cancelled call reaches no other %s', async (_other, server) => {
    const release = await hold(server, server === 'called-off' ? eve : bob)
    const user = { meta: { 'io.hintgate/session': 'another' } }
    const question = 'BOB: pay 100?'
    const call = clientOf(bob, server).openCall('ask_later', { question, after: 250 }, user)
    await witness.saw(server, 'received', ({ raw }) => raw?.includes(question) ?? false)
    call.close()
    expect((await questionAnswered(server)).raw).toContain('can be asked')
    expect(await release()).not.toContain('BOB')
  })

  it('is refused while the question of another caller is open', async () => {
    const asked = await clientOf(bob, 'waiting').call('ask_later', { question: 'BOB: pay 100?', after: 0 })
    expect(asked.result?.resultType).toBe('input_required')
    const other = await clientOf(eve, 'waiting').call('ask_later', { question: 'whose?', after: 0 })
    expect(textOf(other)).toContain('can be asked')
  })

  it('is asked if only one caller uses the server, or each has its own process', async () => {
    for (const [server, token] of [
      ['alone', bob],
      ['own', bob],
      ['own', eve],
    ] as const) {
      const asked = await clientOf(token, server).call('ask_later', { question: 'who?', after: 0 })
      expect(asked.result?.resultType).toBe('input_required')
    }
  })

  it('is refused while the question of another session is open, even of the same caller', async () => {
    const params = (session: string) => ({ meta: { 'io.hintgate/session': session } })
    const client = clientOf(bob, 'sessions')
    const first = await client.call('ask_later', { question: 'user 1?', after: 0 }, params('one'))
    expect(first.result?.resultType).toBe('input_required')
    const second = await client.call('ask_later', { question: 'user 2?', after: 0 }, params('two'))
    expect(textOf(second)).toContain('can be asked')
  })
})

describe('a log line of a shared server', () => {
  it('about a call that has just been answered does not appear in the call of another caller', async () => {
    const release = await hold('answered', eve)
    await clientOf(bob, 'answered').call('say_later', { say: 'about BOB', after: 30 })
    await sleep(150)
    expect(await release()).not.toContain('BOB')
  })

  it('reaches the caller that it concerns, and no caller that only listens', async () => {
    const watching = await listen('watched', eve)
    const owner = await listen('watched', bob)
    await owner.client.call('say_later', { say: 'about BOB', after: 30 })
    expect((await owner.stream.until('notifications/message')).params?.data).toBe('about BOB')
    // After a call by Eve the line could concern either caller, so Bob does not get it either.
    await watching.client.call('echo', {})
    await owner.client.call('say_later', { say: 'again about BOB', after: 30 })
    await sleep(150)
    expect(watching.stream.text).not.toContain('BOB')
    expect(owner.stream.text).not.toContain('again')
  })

  it('does not reach a token that may use certain tools only', async () => {
    const limited = await gateway.site.token({ tools: 'say_later' })
    const { client, stream } = await listen('scoped', limited)
    await client.call('say_later', { say: 'a line', after: 10 })
    await sleep(150)
    expect(stream.text).not.toContain('a line')
  })
})

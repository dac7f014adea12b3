import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { type Json, LegacyClient, type Message, ModernClient, type Reply } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import {
  callsSeenBy,
  connect,
  dataOf,
  ERAS,
  type Era,
  EVERYTHING,
  refusal,
  searchUrl,
} from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let gateway: Gateway
let token: string

beforeAll(async () => {
  witness = await openWitness()
  const tools = [
    scripted('hold', {}, { does: 'hold' }),
    scripted('steps', {}, { does: 'progress' }),
    scripted('fail', {}, { does: 'fail' }),
    scripted('error', {}, { does: 'error' }),
    scripted('write', { annotations: WRITES }),
    scripted('unsaid', { annotations: {} }),
    scripted('destroy', { annotations: DESTROYS }),
  ]
  const servers = [
    new ScriptedServer('a', witness, tools),
    new ScriptedServer('b', witness, tools, { era: 'modern' }),
    new ScriptedServer('narrow', witness, tools, { more: { concurrency: 1 } }),
  ]
  gateway = await startReadyGateway({
    mcpServers: Object.fromEntries(servers.map(server => [server.name, server.config])),
    limits: { batchReads: 12 },
  })
  token = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

interface Part {
  readonly name: string
  readonly args?: Json
}

interface Outcome extends Json {
  readonly name: string
  readonly ok: boolean
  readonly result?: { readonly content: readonly { readonly text: string }[] }
  readonly error?: { readonly code: string }
}

interface Batch {
  readonly results: readonly Outcome[]
  readonly succeeded: number
  readonly failed: number
}

const open = (era: Era = 'modern') => connect(searchUrl(gateway), token, era)
const batchOf = (message: Message): Batch => dataOf<Batch>(message)
const textsOf = ({ results }: Batch): (string | undefined)[] =>
  results.map(({ result }) => result?.content[0]?.text)

async function start(calls: readonly Part[], more: Json = {}, era: Era = 'modern'): Promise<Reply> {
  return (await open(era)).openCall('call_tools_read', { calls, ...more })
}

/** The calls of one test that a server holds, in order of arrival. */
const heldAt = (server: string, me: string) =>
  witness.of(server, 'hanging').filter(({ args }) => (args as { me?: string }).me === me)
const holds = (server: string, me: string, n: number) =>
  witness.saw(server, 'hanging', ({ args }) => {
    const { me: whose, n: which } = args as { me: string; n: number }
    return whose === me && which === n
  })
const together = (server: string, me: string): number =>
  Math.max(...heldAt(server, me).map(({ args }) => (args as { together: number }).together))

async function seenBy(server: string) {
  const direct = await connect(gateway.endpoint(), token)
  return callsSeenBy(server, witness, args => direct.call(`${server}__echo`, args))
}

describe.each(ERAS)('a batch of reads from a %s client', era => {
  it('runs all of them concurrently on all servers, and answers in order', async () => {
    const me = `parallel ${era}`
    const calls = [0, 1, 2, 3, 4, 5, 6, 7].map(n => ({
      name: n % 2 === 0 ? 'a:hold' : 'b:hold',
      args: { me, n },
    }))
    const reply = await start(calls, {}, era)
    // All are held before any is answered, so they must be running together.
    await Promise.all(calls.map(({ name, args }) => holds(name.slice(0, 1), me, args.n)))
    for (const server of ['a', 'b']) witness.tell(server, { kind: 'release' })
    const batch = batchOf(await reply.answer())
    expect(textsOf(batch)).toEqual(calls.map(({ args }) => JSON.stringify(args)))
    expect(batch.results.map(({ name }) => name)).toEqual(calls.map(({ name }) => name))
    expect([batch.succeeded, batch.failed]).toEqual([8, 0])
  })

  it.each([1, 3])('never runs more than max_parallel: %i', async max_parallel => {
    const me = `bounded ${era} ${max_parallel}`
    const calls = Array.from({ length: 9 }, (_, n) => ({ name: 'a:hold', args: { me, n } }))
    const reply = await start(calls, { max_parallel }, era)
    for (let first = 0; first < 9; first += max_parallel) {
      for (let n = first; n < first + max_parallel; n++) await holds('a', me, n)
      // Another call would have arrived before this one.
      await seenBy('a')
      expect(heldAt('a', me)).toHaveLength(first + max_parallel)
      witness.tell('a', { kind: 'release' })
    }
    expect(batchOf(await reply.answer()).succeeded).toBe(9)
    expect(together('a', me)).toBe(max_parallel)
  })

  it('gives each call its own outcome', async () => {
    const calls: Part[] = [
      { name: 'a:echo', args: { n: 1 } },
      { name: 'a:fail' },
      { name: 'a:error' },
      { name: 'a:nothing' },
      { name: 'nobody:echo' },
      { name: 'b:echo', args: { n: 2 } },
    ]
    const batch = batchOf(await (await start(calls, {}, era)).answer())
    expect(batch.results).toMatchObject([
      { name: 'a:echo', ok: true, result: { content: [{ text: expect.stringContaining('"n":1') }] } },
      { name: 'a:fail', ok: false, result: { isError: true, content: [{ text: 'it failed' }] } },
      { name: 'a:error', ok: false, rpc_error: { code: -32123, message: 'own error' } },
      { name: 'a:nothing', ok: false, error: { code: 'unknown_tool', tool: 'a:nothing' } },
      { name: 'nobody:echo', ok: false, error: { code: 'unknown_tool', tool: 'nobody:echo' } },
      { name: 'b:echo', ok: true, result: { content: [{ text: expect.stringContaining('"n":2') }] } },
    ])
    expect([batch.succeeded, batch.failed]).toEqual([2, 4])
  })

  it('suggests names for the first unknown ones', async () => {
    const calls: Part[] = ['a:echoo', 'a:faill', 'a:errorr', 'b:echoo'].map(name => ({ name }))
    const { results } = batchOf(await (await start(calls, { max_parallel: 1 }, era)).answer())
    const meant = results.map(
      result => /Did you mean "(.+?)"/.exec(JSON.stringify(result).replaceAll('\\', ''))?.[1],
    )
    expect(meant).toEqual(['a:echo', 'a:fail', undefined, undefined])
    for (const result of results) expect(result).toMatchObject({ ok: false, error: { code: 'unknown_tool' } })
  })

  it.each(['a:write', 'a:unsaid', 'b:destroy'])('runs nothing when it contains %s', async name => {
    const before = [await seenBy('a'), await seenBy('b')]
    for (const at of [0, 1, 2]) {
      const calls: Part[] = [{ name: 'a:echo' }, { name: 'b:echo' }]
      calls.splice(at, 0, { name, args: { all: true } })
      const error = refusal(await (await start(calls, {}, era)).answer())
      expect([error.code, error.tool]).toEqual(['intent_mismatch', name])
      expect(error.message).toContain('None of the 3 calls was made')
    }
    expect([await seenBy('a'), await seenBy('b')]).toEqual(before)
  })

  it('is refused before any call when it is too long', async () => {
    const before = await seenBy('a')
    const calls = Array.from({ length: 13 }, () => ({ name: 'a:echo' }))
    const error = refusal(await (await start(calls, {}, era)).answer())
    expect([error.code, error.field]).toEqual(['invalid_arguments', 'calls'])
    expect(error.expected).toContain('12')
    expect(await seenBy('a')).toEqual(before)
    expect(batchOf(await (await start(calls.slice(1), {}, era)).answer()).succeeded).toBe(12)
  })
})

describe('cancelling a batch', () => {
  /** Four calls are held and two have not begun when the client cancels. */
  async function cancel(era: Era, me: string): Promise<Reply> {
    const calls = [0, 1, 2, 3].map(n => ({ name: n < 2 ? 'a:hold' : 'b:hold', args: { me, n } }))
    const waiting = [4, 5].map(n => ({ name: 'a:echo', args: { me, n } }))
    const client = await open(era)
    const params = {
      name: 'call_tools_read',
      arguments: { calls: [...calls, ...waiting], max_parallel: 4 },
    }
    const reply =
      client instanceof LegacyClient
        ? client.open('tools/call', params, 'mine')
        : client.open('tools/call', params)
    const held = await Promise.all(calls.map(({ name, args }) => holds(name.slice(0, 1), me, args.n)))
    if (client instanceof LegacyClient) await client.notify('notifications/cancelled', { requestId: 'mine' })
    else reply.close()
    await Promise.all(
      held.map(({ server, id }) => witness.saw(server, 'cancelled', sighting => sighting.id === id)),
    )
    await reply.closed
    return reply
  }

  it.each(ERAS)('cancels every running call at the servers, for a %s client', async era => {
    await cancel(era, `cancelled ${era}`)
    expect(witness.of('a', 'cancelled').length + witness.of('b', 'cancelled').length).toBeGreaterThanOrEqual(
      4,
    )
  })

  it('gets no answer', async () => {
    const reply = await cancel('legacy', 'unanswered')
    expect(reply.messages.items.filter(({ method }) => method === undefined)).toEqual([])
  })

  it.each(ERAS)('starts no further call, for a %s client', async era => {
    const me = `not begun ${era}`
    await cancel(era, me)
    const seen = (await seenBy('a')).filter(({ arguments: args }) => args?.me === me)
    expect(seen.map(({ name }) => name)).toEqual(['hold', 'hold'])
  })

  it('does not affect other batches', async () => {
    const me = 'left alone'
    const [mine, other] = [
      await start([{ name: 'a:hold', args: { me, n: 0 } }]),
      await start([{ name: 'a:hold', args: { me, n: 1 } }]),
    ]
    const [first] = await Promise.all([holds('a', me, 0), holds('a', me, 1)])
    mine.close()
    await witness.saw('a', 'cancelled', ({ id }) => id === first.id)
    witness.tell('a', { kind: 'release' })
    expect(batchOf(await other.answer()).succeeded).toBe(1)
  })
})

describe('progress of a batch', () => {
  it.each(ERAS)('counts finished calls under the progress token of a %s client', async era => {
    const me = `progress ${era}`
    const calls = [
      { name: 'a:steps', args: { me, n: 0, steps: [1, 2, 2, 1, 3], total: 4 } },
      { name: 'b:steps', args: { me, n: 1, steps: [10, 90], total: 100 } },
      { name: 'a:steps', args: { me, n: 2, steps: [5, 6] } },
      { name: 'a:echo' },
    ]
    const client = await open(era)
    const params = { name: 'call_tools_read', arguments: { calls } }
    const reply =
      client instanceof ModernClient
        ? client.open('tools/call', params, { meta: { progressToken: 'whole' } })
        : client.open('tools/call', { ...params, _meta: { progressToken: 'whole' } })
    await Promise.all([holds('a', me, 0), holds('b', me, 1), holds('a', me, 2)])
    for (const server of ['a', 'b']) witness.tell(server, { kind: 'release' })
    expect(batchOf(await reply.answer()).succeeded).toBe(4)
    const told = reply.messages.items.filter(({ method }) => method === 'notifications/progress')
    const steps = told.map(({ params: step }) => Number(step?.progress))
    expect(steps).toEqual([...new Set(steps)].toSorted((x, y) => x - y))
    expect(steps.length).toBeGreaterThanOrEqual(8)
    expect(steps.at(-1)).toBe(4)
    for (const { params: step } of told) expect(step).toMatchObject({ progressToken: 'whole', total: 4 })
  })

  it('is sent on request only', async () => {
    const me = 'no progress'
    const reply = await start([{ name: 'a:steps', args: { me, n: 0, steps: [1], total: 2 } }])
    await holds('a', me, 0)
    witness.tell('a', { kind: 'release' })
    await reply.closed
    expect(reply.messages.items.map(({ method }) => method)).toEqual([undefined])
  })
})

describe('a server that handles one call at a time', () => {
  it('gets the calls of a batch one after the other', async () => {
    const me = 'one at a time'
    const calls = [0, 1, 2].map(n => ({ name: 'narrow:hold', args: { me, n } }))
    const reply = await start(calls)
    for (const { args } of calls) {
      await holds('narrow', me, args.n)
      witness.tell('narrow', { kind: 'release' })
    }
    expect(batchOf(await reply.answer()).succeeded).toBe(3)
    expect(together('narrow', me)).toBe(1)
  })
})

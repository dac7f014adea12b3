import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import {
  ASKABLE,
  answerLegacy,
  approve,
  comeBack,
  decide,
  NO,
  questionOf,
  waitingFor,
  YES,
} from '../support/confirming.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { type Json, LegacyClient, type Message, ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { callsSeenBy, EVERYTHING, refusal } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let gateway: Gateway
let token: string

const tools = [
  scripted('destroy', { annotations: DESTROYS, title: 'Destroy a thing' }),
  scripted('other', { annotations: DESTROYS }),
  scripted('write', { annotations: WRITES }),
  scripted('strict', {
    annotations: DESTROYS,
    inputSchema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  }),
]

beforeAll(async () => {
  witness = await openWitness()
  const server = new ScriptedServer('things', witness, tools)
  gateway = await startReadyGateway({ confirm: {}, mcpServers: { things: server.config } })
  token = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

const DOORS = ['search', 'direct', 'server'] as const
type Door = (typeof DOORS)[number]

/** The same call for each surface. */
function callAt(door: Door, tool: string, args: Json): { url: string; name: string; args: Json } {
  if (door === 'server') return { url: gateway.endpoint('things'), name: tool, args }
  if (door === 'direct') return { url: gateway.endpoint(), name: `things__${tool}`, args }
  return { url: `${gateway.url}/mcp`, name: 'call_tool_destructive', args: { name: `things:${tool}`, args } }
}

/** How often the server executed it. */
async function countAt(tool: string, args: Json): Promise<number> {
  const direct = new ModernClient(gateway.endpoint(), token)
  const seen = await callsSeenBy('things', witness, mark => direct.call('things__echo', mark))
  const wanted = JSON.stringify(args)
  return seen.filter(call => call.name === tool && JSON.stringify(call.arguments) === wanted).length
}

describe('a destructive call of a client that cannot be asked', () => {
  for (const door of DOORS)
    for (const era of ['modern', 'legacy'] as const)
      it(`waits for a person, then runs once (${door}, ${era})`, async () => {
        const thing = { id: `${door} ${era}` }
        const { url, name, args } = callAt(door, 'destroy', thing)
        const client =
          era === 'modern' ? new ModernClient(url, token) : await new LegacyClient(url, token).initialize()
        const first = await client.call(name, args)
        const waiting = waitingFor(first)
        expect(refusal(first)).toMatchObject({ verdict: 'confirm', variant: 'call_tool_destructive' })
        expect(refusal(first).reasons).toMatchObject([{ rule: 'confirm.destructive', source: 'config' }])
        expect(refusal(first).remedy).toContain(`hintgate approvals approve ${waiting.id}`)
        // A repeated call has the same approval.
        expect(waitingFor(await client.call(name, args)).id).toBe(waiting.id)
        expect(await countAt('destroy', thing)).toBe(0)
        await approve(gateway.site, waiting.id)
        expect(textOf(await client.call(name, args))).toContain(thing.id)
        expect(waitingFor(await client.call(name, args)).id).not.toBe(waiting.id)
        expect(await countAt('destroy', thing)).toBe(1)
      })

  it("gets a person's denial with their note", async () => {
    const client = new ModernClient(gateway.endpoint('things'), token)
    const { id } = waitingFor(await client.call('destroy', { id: 'denied' }))
    await decide(gateway.site, 'deny', id, '--note', 'not before the backup')
    const denied = refusal(await client.call('destroy', { id: 'denied' }))
    expect(denied).toMatchObject({ code: 'confirmation_denied', verdict: 'deny' })
    expect(denied.message).toContain('not before the backup')
    // Both texts say until when a denial holds, so that neither side retries in vain.
    const [, until = ''] = /Until (\d\S+Z)/.exec(denied.remedy) ?? []
    const minutes = (Date.parse(until) - Date.now()) / 60_000
    expect(minutes > 8 && minutes <= 10.1).toBe(true)
    const { code, stderr } = await decide(gateway.site, 'approve', id)
    expect([code, stderr]).toEqual([1, expect.stringContaining(until)])
    expect(await countAt('destroy', { id: 'denied' })).toBe(0)
  })

  it('is not allowed for other arguments, another tool, or another agent', async () => {
    const client = new ModernClient(gateway.endpoint('things'), token)
    const { id } = waitingFor(await client.call('destroy', { id: 'mine' }))
    await approve(gateway.site, id)
    expect(refusalOf(await client.call('destroy', { id: 'yours' }))).toBe('confirmation_required')
    expect(refusalOf(await client.call('other', { id: 'mine' }))).toBe('confirmation_required')
    const stranger = new ModernClient(gateway.endpoint('things'), await gateway.site.token())
    expect(refusalOf(await stranger.call('destroy', { id: 'mine' }))).toBe('confirmation_required')
    expect(textOf(await client.call('destroy', { id: 'mine' }))).toContain('mine')
  })

  it('runs once after approval, however many repetitions arrive together', async () => {
    const client = new ModernClient(gateway.endpoint('things'), token)
    const thing = { id: 'raced' }
    const { id } = waitingFor(await client.call('destroy', thing))
    await approve(gateway.site, id)
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.call('destroy', thing)))
    expect(answers.filter(answer => refusalOf(answer) === undefined)).toHaveLength(1)
    expect(await countAt('destroy', thing)).toBe(1)
  })

  it('needs no approval when its arguments are invalid', async () => {
    const client = new ModernClient(gateway.endpoint('things'), token)
    expect(refusalOf(await client.call('strict', {}))).toBe('invalid_arguments')
  })
})

describe('a modern client with a user', () => {
  const client = (): ModernClient => new ModernClient(gateway.endpoint('things'), token, ASKABLE)

  for (const door of DOORS)
    it(`is asked with input_required and continues with the answer (${door})`, async () => {
      const thing = { id: `asked at ${door}` }
      const { url, name, args } = callAt(door, 'destroy', thing)
      const own = new ModernClient(url, token, ASKABLE)
      const question = questionOf(await own.call(name, args))
      expect(question.message).toContain('Destroy a thing')
      expect(question.message).toContain(`asked at ${door}`)
      expect(question.message).toContain('destructive (declared)')
      expect(question.message).toContain('confirm.destructive')
      const { requestState } = question
      expect(textOf(await comeBack(own, { name, args, requestState, answer: YES }))).toContain(thing.id)
      expect(await countAt('destroy', thing)).toBe(1)
      // The answer was valid once.
      const again = await comeBack(own, { name, args, requestState, answer: YES })
      expect(refusalOf(again)).toBe('confirmation_expired')
      expect(await countAt('destroy', thing)).toBe(1)
    })

  it('may deny or close the form', async () => {
    const [name, args] = ['destroy', { id: 'refused' }]
    const { requestState } = questionOf(await client().call(name, args))
    const closed = await comeBack(client(), { name, args, requestState, answer: { action: 'cancel' } })
    expect(questionOf(closed).message).toContain('refused')
    const refused = await comeBack(client(), { name, args, requestState, answer: NO })
    expect(refusalOf(refused)).toBe('confirmation_denied')
    expect(refusalOf(await comeBack(client(), { name, args, requestState, answer: YES }))).toBe(
      'confirmation_denied',
    )
    expect(await countAt(name, args)).toBe(0)
  })

  it('cannot use the answer for another call', async () => {
    const args = { id: 'bound' }
    const { requestState } = questionOf(await client().call('destroy', args))
    const swap = (name: string, other: Json, as = client()): Promise<Message> =>
      comeBack(as, { name, args: other, requestState, answer: YES })
    expect(refusalOf(await swap('destroy', { id: 'else' }))).toBe('confirmation_expired')
    expect(refusalOf(await swap('other', args))).toBe('confirmation_expired')
    const stranger = new ModernClient(gateway.endpoint('things'), await gateway.site.token(), ASKABLE)
    expect(refusalOf(await swap('destroy', args, stranger))).toBe('confirmation_expired')
    expect(await countAt('destroy', { id: 'else' })).toBe(0)
    expect(await countAt('destroy', args)).toBe(0)
    expect(refusalOf(await swap('destroy', args))).toBeUndefined()
  })

  it('cannot read or change the state', async () => {
    const args = { id: 'sealed' }
    const { requestState } = questionOf(await client().call('destroy', args))
    const bytes = Buffer.from(requestState.slice('hgc1.'.length), 'base64url')
    expect(bytes.toString('latin1')).not.toContain('ap_')
    for (const at of [0, 13, 30, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      const forged = `hgc1.${changed.toString('base64url')}`
      const answer = await comeBack(client(), { name: 'destroy', args, requestState: forged, answer: YES })
      expect(answer.error?.data).toEqual({ reason: 'invalid_request_state' })
    }
    for (const requestStateOf of ['hgc1.', 'hgc1.AAAA', `hgc1.${'A'.repeat(100)}`])
      expect(
        (await comeBack(client(), { name: 'destroy', args, requestState: requestStateOf, answer: YES }))
          .error,
      ).toBeDefined()
    expect(await countAt('destroy', args)).toBe(0)
  })

  it('continues once, however many answers arrive at the same time', async () => {
    const args = { id: 'raced by state' }
    const { requestState } = questionOf(await client().call('destroy', args))
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        comeBack(client(), { name: 'destroy', args, requestState, answer: YES }),
      ),
    )
    expect(answers.filter(answer => refusalOf(answer) === undefined)).toHaveLength(1)
    expect(await countAt('destroy', args)).toBe(1)
  })

  it('continues without its answer if another person decides', async () => {
    const args = { id: 'by somebody' }
    const { requestState } = questionOf(await client().call('destroy', args))
    const listed = await hintgate(['approvals', 'list', '--json', ...gateway.site.flags])
    const waiting = JSON.parse(listed.stdout) as { id: string; request: { arguments: Json } }[]
    const { id = '' } = waiting.find(({ request }) => request.arguments.id === args.id) ?? {}
    await approve(gateway.site, id)
    expect(textOf(await comeBack(client(), { name: 'destroy', args, requestState }))).toContain(args.id)
  })
})

describe('a legacy client with a user', () => {
  const open = (door: Door) => callAt(door, 'destroy', { id: `legacy at ${door}` })

  for (const door of DOORS)
    it(`is asked during the call (${door})`, async () => {
      const { url, name, args } = open(door)
      const client = await new LegacyClient(url, token).initialize({ capabilities: ASKABLE })
      const reply = client.openCall(name, args)
      const question = await answerLegacy(client, reply, YES)
      expect(question.params?.message).toContain(`legacy at ${door}`)
      expect(textOf(await reply.answer())).toContain(`legacy at ${door}`)
      expect(await countAt('destroy', { id: `legacy at ${door}` })).toBe(1)
    })

  it('may deny', async () => {
    const client = await new LegacyClient(gateway.endpoint('things'), token).initialize({
      capabilities: ASKABLE,
    })
    const reply = client.openCall('destroy', { id: 'legacy no' })
    await answerLegacy(client, reply, { action: 'decline' })
    expect(refusalOf(await reply.answer())).toBe('confirmation_denied')
    expect(await countAt('destroy', { id: 'legacy no' })).toBe(0)
  })

  it('delays no other call while it waits, and gets progress meanwhile', async () => {
    const client = await new LegacyClient(gateway.endpoint('things'), token).initialize({
      capabilities: ASKABLE,
    })
    const params = { name: 'destroy', arguments: { id: 'slow' }, _meta: { progressToken: 'p' } }
    const reply = client.open('tools/call', params)
    const question = await reply.until('elicitation/create')
    expect((await reply.until('notifications/progress')).params).toMatchObject({
      progressToken: 'p',
      message: 'waiting for a person to decide',
    })
    expect(textOf(await client.call('write', { id: 'meanwhile' }))).toContain('meanwhile')
    await client.respond(question.id ?? 0, YES)
    expect(textOf(await reply.answer())).toContain('slow')
  })

  it('is told when another person decides meanwhile', async () => {
    const client = await new LegacyClient(gateway.endpoint('things'), token).initialize({
      capabilities: ASKABLE,
    })
    const reply = client.openCall('destroy', { id: 'overtaken' })
    await reply.until('elicitation/create')
    const listed = await hintgate(['approvals', 'list', '--json', ...gateway.site.flags])
    const waiting = JSON.parse(listed.stdout) as { id: string; request: { arguments: Json } }[]
    const { id = '' } = waiting.find(({ request }) => request.arguments.id === 'overtaken') ?? {}
    await approve(gateway.site, id)
    expect(textOf(await reply.answer())).toContain('overtaken')
    expect(await countAt('destroy', { id: 'overtaken' })).toBe(1)
  })
})

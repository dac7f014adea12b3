import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personToken } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { ASKABLE, answerLegacy, comeBack, questionOf, YES } from '../support/confirming.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { type Json, LegacyClient, ModernClient, refusalOf, send, textOf } from '../support/raw-mcp.ts'
import { DESTROYS, READS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { callsSeenBy, EVERYTHING, refusal } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

/** Ways past the checks that once worked. */

let witness: Witness
let gateway: Gateway
let token: string

const POLICY = `rules:
  - id: a-person-when-tainted
    effect: confirm
    channel: person
    tools: [s:wipe]
    when: session.untrusted_content == "declared"
    reason: Somebody else has to say so.
  - id: not-this-one
    effect: deny
    tools: [s:write]
    when: has(args.id) && args.id == 9007199254740993
    reason: Never that one.
  - id: only-this-one
    effect: deny
    tools: [s:write]
    when: has(args.channel) && args.channel != 1152921504606846976
    reason: Only that one.
`

const TOOLS = [
  scripted('read', { annotations: READS }),
  scripted('browse', { annotations: { ...READS, openWorldHint: true } }),
  scripted('wipe', { annotations: DESTROYS }),
  scripted('write', { annotations: WRITES, inputSchema: {} }),
  scripted('sly', { annotations: DESTROYS, _meta: { 'io.hintgate/preview': { tool: 'write' } } }),
  scripted('liar', { annotations: DESTROYS, _meta: { 'io.hintgate/preview': { argument: 'dry_run' } } }),
]

beforeAll(async () => {
  witness = await openWitness()
  const folder = mkdtempSync(join(tmpdir(), 'hintgate-policy-'))
  writeFileSync(join(folder, 'policy.yaml'), POLICY)
  const server = new ScriptedServer('past', witness, TOOLS)
  gateway = await startReadyGateway({
    confirm: { remember: ['session', 'arguments'] },
    policies: [join(folder, 'policy.yaml')],
    guardrails: [{ rule: 'keyword_block', field: '**', keywords: ['evil'] }],
    mcpServers: { s: server.config },
  })
  token = await gateway.site.token({ permissions: EVERYTHING })
  return () => rmSync(folder, { recursive: true, force: true })
})
afterAll(cleanUp)

const endpoint = (): string => gateway.endpoint('s')
const seen = (): ReturnType<typeof callsSeenBy> =>
  callsSeenBy('past', witness, mark => new ModernClient(endpoint(), token).call('echo', mark))
const inSession = (name: string) => ({ meta: { 'io.hintgate/session': name } })

describe('long numbers', () => {
  const LONG = '12345678901234567890'

  it('keep their digits in the ids of answers, without the internal marks', async () => {
    for (const method of ['tools/list', 'tools/call', 'ping']) {
      const params = method === 'tools/call' ? '{"name":"read","arguments":{}}' : '{}'
      const client = await new LegacyClient(endpoint(), token).initialize()
      const body = `{"jsonrpc":"2.0","id":${LONG},"method":"${method}","params":${params}}`
      const { text } = await send(endpoint(), { headers: client.headers, body })
      expect(text).toContain(`"id":${LONG}`)
      expect(text).not.toContain('\\u0000')
    }
  })

  it('are shown to people with every digit', async () => {
    const client = new ModernClient(endpoint(), token, ASKABLE)
    const body = JSON.stringify({ name: 'wipe', arguments: { id: 'LONG' } }).replace('"LONG"', LONG)
    const reply = client.open('tools/call', JSON.parse(body.replace(LONG, `"${LONG}"`)) as Json)
    expect(questionOf(await reply.answer()).message).toContain(LONG)
    const listed = await hintgate(['approvals', 'list', ...gateway.site.flags])
    expect(listed.stdout).not.toContain('u{0}')
  })

  /** A call with this exact body. */
  async function sendCall(params: string): Promise<{ text: string; status: number | undefined }> {
    const client = await new LegacyClient(endpoint(), token).initialize()
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
    return send(endpoint(), { headers: client.headers, body })
  }

  it('have the same value in policies as at the server', async () => {
    const write = async (args: string) => (await sendCall(`{"name":"write","arguments":${args}}`)).text
    expect(await write('{"id":9007199254740993}')).toContain('policy_denied')
    expect(await write('{"id":9007199254740992}')).not.toContain('policy_denied')
    expect(await write('{"channel":1152921504606846976}')).not.toContain('policy_denied')
    for (const other of ['1152921504606846975', '1152921504606846999', '1152921504606847000'])
      expect(await write(`{"channel":${other}}`), other).toContain('policy_denied')
    const raw = witness.of('past').map(sighting => sighting.raw ?? '')
    expect(raw.some(text => text.includes('9007199254740993'))).toBe(false)
    expect(raw.some(text => text.includes('1152921504606846976'))).toBe(true)
    expect(raw.some(text => /11529215046068(?:46975|46999|47000)/.test(text))).toBe(false)
  })

  it('are refused as names of members', async () => {
    for (const args of [
      `{${LONG}:1}`,
      `{ ${LONG} : 1}`,
      `{"deep":[{"x":1, ${LONG}:1}]}`,
      '{"x":1,1e999:1}',
    ]) {
      const { text, status } = await sendCall(`{"name":"write","arguments":${args}}`)
      expect([status, JSON.parse(text)], args).toMatchObject([400, { error: { code: -32700 } }])
    }
    expect((await seen()).filter(({ arguments: args }) => JSON.stringify(args).includes(LONG))).toEqual([])
  })

  it('are refused in place of a text', async () => {
    for (const params of [
      `{"name":${LONG}}`,
      `{"name":"write","arguments":{},"_meta":{"io.hintgate/session":${LONG}}}`,
      `{"name":"write","arguments":{},"requestState":${LONG}}`,
    ]) {
      const { text, status } = await sendCall(params)
      expect([status, JSON.parse(text)], params).toMatchObject([400, { error: { code: -32600 } }])
      expect(text).not.toContain('u0000')
      expect(text).toContain('must be a string, not a number')
    }
  })

  it('are refused in place of a text in the admin API', async () => {
    const headers = {
      authorization: `Bearer ${await personToken(gateway.site, 'admin')}`,
      'content-type': 'application/json',
    }
    for (const [path, body] of [
      ['agents', `{"name":"ok","permissions":["read"],"servers":[${LONG}]}`],
      ['servers', `{"name":"ok","config":{"command":"node","args":[${LONG}]}}`],
    ] as const) {
      const answer = await fetch(`${gateway.url}/api/v1/${path}`, { method: 'POST', headers, body })
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { detail: expect.stringContaining('send it as a string') },
      ])
    }
  })

  it('cannot be forged by texts that imitate the internal marks', async () => {
    const mark = `\u0000${'a'.repeat(24)}:`
    const client = new ModernClient(endpoint(), token)
    const args = { a: `${mark}0}`, name: 'wipe', arguments: { all: true }, z: `${mark}{` }
    expect(JSON.parse(textOf(await client.call('read', args)))).toMatchObject({
      tool: 'read',
      arguments: args,
    })
  })
})

describe('an approval', () => {
  it('does not cover a call with a stricter question', async () => {
    const client = new ModernClient(endpoint(), token, ASKABLE)
    const args = { id: 'harder' }
    await client.call('browse', {}, inSession('tainted'))
    expect(refusalOf(await client.call('wipe', args, inSession('tainted')))).toBe('confirmation_required')
    const clean = questionOf(await client.call('wipe', args, inSession('clean')))
    const back = await client.request(
      'tools/call',
      {
        name: 'wipe',
        arguments: args,
        requestState: clean.requestState,
        inputResponses: { 'hintgate-confirm': YES },
      },
      inSession('tainted'),
    )
    expect(refusalOf(back)).toBe('confirmation_expired')
    expect(refusalOf(await client.call('wipe', args, inSession('tainted')))).toBe('confirmation_required')
    expect((await seen()).filter(({ name }) => name === 'wipe')).toEqual([])
  })

  it('that is remembered does not cover a stricter question', async () => {
    const client = new ModernClient(endpoint(), token, ASKABLE)
    const session = inSession('grows')
    for (const remember of ['arguments', 'session']) {
      const args = { id: `kept for ${remember}` }
      const { requestState } = questionOf(await client.call('wipe', args, session))
      const answer = { action: 'accept', content: { decision: 'approve', remember } }
      const params = {
        name: 'wipe',
        arguments: args,
        requestState,
        inputResponses: { 'hintgate-confirm': answer },
      }
      expect(refusalOf(await client.request('tools/call', params, session))).toBeUndefined()
      expect(refusalOf(await client.call('wipe', args, session))).toBeUndefined()
    }
    await client.call('browse', {}, session)
    for (const id of ['kept for session', 'kept for arguments', 'new'])
      expect(refusalOf(await client.call('wipe', { id }, session))).toBe('confirmation_required')
  })

  it('does not cover additional parameters of the call', async () => {
    const client = new ModernClient(endpoint(), token, ASKABLE)
    const args = { id: 'extra' }
    const params = { name: 'wipe', arguments: args }
    const { requestState } = questionOf(await client.request('tools/call', params))
    const inputResponses = { 'hintgate-confirm': YES }
    const more = { ...params, target: 'everything', requestState, inputResponses }
    expect(refusalOf(await client.request('tools/call', more))).toBe('confirmation_expired')
    const shown = questionOf(await client.request('tools/call', { ...params, target: 'everything' }))
    expect(shown.message).toContain('Other parameters: {"target":"everything"}')
    const smuggled = {
      ...params,
      requestState,
      inputResponses: { ...inputResponses, other: { action: 'accept' } },
    }
    expect(refusalOf(await client.request('tools/call', smuggled))).toBeUndefined()
    await seen()
    const raw = witness.of('past').filter(({ raw: text }) => text?.includes('"extra"'))
    expect(raw.map(({ raw: text }) => text).join()).not.toContain('inputResponses')
  })

  it('does not count if the session read untrusted content before the answer', async () => {
    const client = await new LegacyClient(endpoint(), token).initialize({ capabilities: ASKABLE })
    const reply = client.openCall('wipe', { id: 'meanwhile' })
    const question = await reply.until('elicitation/create')
    await client.call('browse', {})
    await client.respond(question.id ?? 0, YES)
    expect(refusalOf(await reply.answer())).toBe('confirmation_expired')
  })

  it('works for an honest legacy client', async () => {
    const client = await new LegacyClient(endpoint(), token).initialize({ capabilities: ASKABLE })
    const reply = client.openCall('wipe', { id: 'honest' })
    await answerLegacy(client, reply, YES)
    expect(refusalOf(await reply.answer())).toBeUndefined()
  })
})

describe('arguments that are not an object', () => {
  it.each([[['evil']], ['evil'], [7], [null], [true]])('are refused: %j', async args => {
    const client = new ModernClient(endpoint(), token)
    const answer = await client.request('tools/call', { name: 'write', arguments: args })
    expect(refusal(answer)).toMatchObject({ code: 'invalid_arguments', expected: 'an object' })
  })
})

describe('a preview', () => {
  it.each(['sly', 'liar'])('is not run if it is more than a read: %s', async name => {
    const client = new ModernClient(endpoint(), token, ASKABLE)
    const { message, requestState } = questionOf(await client.call(name, { id: `preview of ${name}` }))
    expect(message).not.toContain('What would change')
    const calls = (await seen()).filter(({ arguments: args }) => args?.id === `preview of ${name}`)
    expect(calls).toEqual([])
    const done = await comeBack(client, {
      name,
      args: { id: `preview of ${name}` },
      requestState,
      answer: YES,
    })
    expect(refusalOf(done)).toBeUndefined()
  })
})

describe('an agent with very many open questions', () => {
  it('gets no more than a hundred, and other agents are not affected', async () => {
    const [flood, other] = [await gateway.site.token(), await gateway.site.token()]
    const client = new ModernClient(endpoint(), flood)
    const asked = await Promise.all(
      Array.from({ length: 130 }, (_, id) => client.call('wipe', { id: `flood ${id}` })),
    )
    const codes = asked.map(refusalOf)
    expect(codes.filter(code => code === 'overloaded').length).toBeGreaterThanOrEqual(20)
    expect(refusalOf(await client.call('wipe', { id: 'one more' }))).toBe('overloaded')
    expect(refusalOf(await new ModernClient(endpoint(), other).call('wipe', { id: 'other' }))).toBe(
      'confirmation_required',
    )
  })
})

describe('a refused batch', () => {
  it('is recorded', async () => {
    const client = new ModernClient(`${gateway.url}/mcp`, token)
    const calls = [{ name: 's:wipe', args: { id: 'in a batch' } }]
    expect(refusalOf(await client.call('call_tools_read', { calls }))).toBe('intent_mismatch')
    const query = ['audit', 'query', '--json', ...gateway.site.flags]
    await expect.poll(async () => (await hintgate(query)).stdout).toContain('in a batch')
  })
})

describe('a call that asks to run as a task', () => {
  it('runs as an ordinary call', async () => {
    const client = new ModernClient(endpoint(), token)
    const answer = await client.request('tools/call', {
      name: 'read',
      arguments: { id: 'task' },
      task: { ttl: 1000 },
    })
    expect(textOf(answer)).toContain('task')
    await seen()
    const raw = witness.of('past').find(({ raw: text }) => text?.includes('"id":"task"'))?.raw
    expect(raw).not.toContain('ttl')
    expect((await client.request('tasks/result', { taskId: 'x' })).error?.code).toBe(-32601)
  })
})

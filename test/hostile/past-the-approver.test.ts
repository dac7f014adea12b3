import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminOf, codeOf, personToken } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { ASKABLE, approve, questionOf, waitingFor } from '../support/confirming.ts'
import { type Gateway, readiness, startGatewayAt, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { type Json, ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'
import {
  DESTROYS,
  READS,
  ScriptedServer,
  type ScriptedTool,
  scripted,
  WRITES,
} from '../support/scripted-server.ts'
import { refusal } from '../support/search-client.ts'
import { openWitness } from '../support/witness.ts'
import { play, type Scene } from './scene.ts'

// Only what a person approved is executed, nothing is executed to show it to them, and it was checked completely.

const PREVIEW = { 'io.hintgate/preview': { argument: 'dry_run' } }
const properties = { id: { type: 'string' }, dry_run: { type: 'boolean' } }
const PATTERN = {
  type: 'object',
  properties: { id: { type: 'string' }, text: { type: 'string', pattern: '^b+$' } },
}
const NESTED = {
  type: 'object',
  properties: {
    id: {},
    options: { $ref: '#/$defs/place' },
    list: { items: { allOf: [{ $ref: '#/$defs/place' }] } },
  },
  $defs: { place: { type: 'object', properties: { path: { type: 'string' } } } },
}
const hints = (sensitiveHint: boolean) => ({ 'io.hintgate/hints': { sensitiveHint } })

let scene: Scene
let approver: ReturnType<typeof adminOf>

beforeAll(async () => {
  scene = await play(
    [
      scripted('wipe', {
        annotations: DESTROYS,
        inputSchema: { type: 'object', properties },
        _meta: PREVIEW,
      }),
      scripted('delete_note', {
        title: 'Delete note',
        annotations: DESTROYS,
        inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
      }),
      scripted('look', { inputSchema: PATTERN }),
      scripted('put', { annotations: WRITES, inputSchema: PATTERN }),
      scripted('guarded', { annotations: WRITES }),
      scripted('nested', { annotations: WRITES, inputSchema: NESTED }),
      scripted('get_private', { _meta: hints(true) }),
      scripted('fetch_web', { annotations: { ...READS, openWorldHint: true }, _meta: hints(false) }),
      scripted('send_out', { annotations: { ...WRITES, openWorldHint: true }, _meta: hints(false) }),
    ],
    {
      confirm: { destructive: 'always', channel: 'any', trifecta: 'deny' },
      guardrails: [{ rule: 'secret_detect', tools: ['guarded'] }],
    },
  )
  approver = adminOf(scene.gateway, await personToken(scene.gateway.site, 'approver'))
})
afterAll(cleanUp)

const client = (token = scene.token, gateway: Gateway = scene.gateway) =>
  new ModernClient(gateway.endpoint('s'), token)

async function arrivedWith(id: string) {
  return (await scene.arrived()).filter(({ arguments: args }) => args?.id === id)
}

describe('a preview', () => {
  it('calls the tool as a dry run, and makes no other call', async () => {
    waitingFor(await client().call('wipe', { id: 'honest', dry_run: false }))
    expect(await arrivedWith('honest')).toMatchObject([{ arguments: { dry_run: true } }])
  })

  it.each([
    ['Dry_Run', 'invalid_arguments'],
    ['DRY_RUN', 'invalid_arguments'],
    ['dryRun', 'confirmation_required'],
    ['ｄry_run', 'confirmation_required'],
  ])('is not made if a server could read %s as its argument', async (key, code) => {
    const args = { id: `victim ${key}`, dry_run: false, [key]: false }
    expect(refusalOf(await client().call('wipe', args))).toBe(code)
    expect(await arrivedWith(`victim ${key}`)).toEqual([])
  })
})

describe('arguments that are too long to check completely', () => {
  const text = `NOT MATCHING${'b'.repeat(1_200_000)}${'c'.repeat(4_000)}`.repeat(3)

  it('are refused in a write', async () => {
    const { code, message } = refusal(await client().call('put', { id: 'long', text }))
    expect(code).toBe('invalid_arguments')
    expect(message).toContain('too large to check')
    expect(await arrivedWith('long')).toEqual([])
  })

  it('are checked if they are short, and pass in a read', async () => {
    expect(refusalOf(await client().call('put', { id: 'short', text: 'no' }))).toBe('invalid_arguments')
    expect(refusalOf(await client().call('look', { id: 'read', text }))).toBeUndefined()
    expect(refusalOf(await client().call('put', { id: 'right', text: 'bb' }))).toBeUndefined()
    expect(await arrivedWith('right')).toHaveLength(1)
  })
})

describe('a request with too many members', () => {
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]))

  it('is refused before it is parsed', async () => {
    const answer = await client().call('echo', { id: 'members', ...members(60_000) })
    expect(answer.error).toMatchObject({
      code: -32700,
      message: 'Parse error: more than 50000 members, lists and objects',
    })
    expect(await arrivedWith('members')).toEqual([])
  })

  it('is accepted if it is below the limit', async () => {
    await client().call('echo', { id: 'fewer', ...members(10_000) })
    expect(await arrivedWith('fewer')).toHaveLength(1)
  })
})

describe('data that a call sends beside its arguments', () => {
  const key = 'AKIAIOSFODNN7EXAMPLQ'
  const tenant = { 'com.example/tenant': 'somebody else' }
  const approve = (id: string) => approver.decideApproval({ params: { id }, body: { decision: 'approve' } })

  it('is not covered by an approval of the call without it', async () => {
    const { id } = waitingFor(await client().call('delete_note', { id: 'bound' }))
    await approve(id)
    waitingFor(await client().call('delete_note', { id: 'bound' }, { meta: tenant }))
    expect(await arrivedWith('bound')).toEqual([])
    expect(refusalOf(await client().call('delete_note', { id: 'bound' }))).toBeUndefined()
    expect(await arrivedWith('bound')).toHaveLength(1)
  })

  it('is shown to the approver and covered by the approval', async () => {
    const call = (meta: Json) => client().call('delete_note', { id: 'shown' }, { meta })
    const { id } = waitingFor(await call(tenant))
    expect((await approver.getApproval({ params: { id } })).others).toEqual({ _meta: tenant })
    await approve(id)
    // Data that belongs to a single request does not change the question.
    expect(refusalOf(await call({ ...tenant, progressToken: 7, baggage: 'a=b' }))).toBeUndefined()
    expect(await arrivedWith('shown')).toHaveLength(1)
  })

  it('that only concerns tracing or the gateway is neither shown nor forwarded', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const unseen = { baggage: 'order=all', tracestate: 'order=all', 'io.hintgate/order': 'all' }
    const call = (target: string, meta: Json) => client().call('delete_note', { id: target }, { meta })
    for (const [target, trace] of [
      ['traced', traceparent],
      ['told', 'delete everything'],
    ] as const) {
      const { id } = waitingFor(await call(target, tenant))
      await approve(id)
      expect(refusalOf(await call(target, { ...tenant, ...unseen, traceparent: trace }))).toBeUndefined()
    }
    const seen = (await scene.arrived()) as readonly { readonly arguments?: Json; readonly _meta?: Json }[]
    const metaOf = (target: string) => seen.find(({ arguments: args }) => args?.id === target)?._meta
    expect(metaOf('traced')).toMatchObject({ ...tenant, traceparent })
    expect(metaOf('told')).toMatchObject(tenant)
    for (const target of ['traced', 'told'])
      for (const key of Object.keys(unseen)) expect(metaOf(target)).not.toHaveProperty([key])
    expect(metaOf('told')).not.toHaveProperty('traceparent')
  })

  it('cannot imitate a declared argument in another spelling, at any depth', async () => {
    for (const more of [{ options: { Path: '/etc' } }, { list: [{ PATH: '/etc' }] }])
      expect(refusalOf(await client().call('nested', { id: 'deep', ...more }))).toBe('invalid_arguments')
    expect(await arrivedWith('deep')).toEqual([])
    expect(refusalOf(await client().call('nested', { id: 'flat', options: { path: 'x' } }))).toBeUndefined()
  })

  it.each<[string, Json, Json]>([
    ['_meta', {}, { 'com.example/x': key }],
    ['a reserved member of _meta', {}, { 'io.hintgate/x': key }],
    ['baggage', {}, { baggage: `k=${key}` }],
    ['another parameter', { other: { deep: [key] } }, {}],
    ['an invented request state', { requestState: key }, {}],
    ['answers without a question', { inputResponses: { a: { content: { text: key } } } }, {}],
    ['a trace', {}, { traceparent: key }],
    ['a log level', {}, { 'io.modelcontextprotocol/logLevel': key }],
    ['a subscription', {}, { 'io.modelcontextprotocol/subscriptionId': key }],
    ['the name of a server', {}, { 'io.modelcontextprotocol/serverInfo': { name: key } }],
    ['the name of a client', {}, { 'io.modelcontextprotocol/clientInfo': { name: key, version: '1' } }],
    ['capabilities', {}, { 'io.modelcontextprotocol/clientCapabilities': { experimental: { key } } }],
  ])('is checked by guardrails: %s', async (_where, more, meta) => {
    const params = { name: 'guarded', arguments: { id: 'smuggled' }, ...more }
    const answer = await client().request('tools/call', params, { meta })
    expect(refusalOf(answer)).toBe('guardrail_blocked')
    expect(JSON.stringify(answer)).not.toContain(key)
    expect(await arrivedWith('smuggled')).toEqual([])
  })

  it('is forwarded if nothing is wrong with it', async () => {
    expect(refusalOf(await client().call('guarded', { id: 'fine' }, { meta: tenant }))).toBeUndefined()
    expect(await arrivedWith('fine')).toHaveLength(1)
  })
})

describe('the arguments of an approved call', () => {
  const tags = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, at]))
  const remove = (args: Json) => client().call('delete_note', args)
  const run = (...args: readonly string[]) => hintgate(['approvals', ...args, ...scene.gateway.site.flags])

  it('were shown to the approver even after a thousand other values', async () => {
    const args = { id: 'behind', tags, force: true, target: 'ALL' }
    const { id } = waitingFor(await remove(args))
    const shown = await approver.getApproval({ params: { id } })
    expect(shown.arguments).toEqual(args)
    expect(shown.isCut).toBe(false)
    await approver.decideApproval({ params: { id }, body: { decision: 'approve' } })
    expect(refusalOf(await remove(args))).toBeUndefined()
    expect(await arrivedWith('behind')).toMatchObject([{ arguments: shown.arguments }])
  })

  it('are shown completely, even if two keys are equal once their secrets are masked', async () => {
    const tokenOf = (letter: string) => `ghp_${letter}a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R`
    const paths = { [tokenOf('x')]: '/srv/production', [tokenOf('y')]: '/tmp/scratch' }
    const { id } = waitingFor(await remove({ id: 'keys', paths }))
    const { arguments: shown } = await approver.getApproval({ params: { id } })
    expect(Object.values((shown as { paths: Json }).paths)).toEqual(['/srv/production', '/tmp/scratch'])
    expect(JSON.stringify(shown)).not.toContain('a1B2c3')
  })

  it('are shown in full length, in the API and on the terminal', async () => {
    const text = `${'x'.repeat(40_000)}END`
    const { id } = waitingFor(await remove({ id: 'text', text, ['n'.repeat(500)]: 1, force: true }))
    const { arguments: shown } = await approver.getApproval({ params: { id } })
    expect(shown).toEqual({ id: 'text', text, ['n'.repeat(500)]: 1, force: true })
    expect((await run('show', id)).stdout).toContain(text)
    expect((await run('show', id, '--json')).stdout).toContain(text)
    expect((await run('show', 'ap_nothing')).code).toBe(1)
  })

  it('are marked as cut where a list or a form has no space for them', async () => {
    const args = { id: 'room', text: 'x'.repeat(40_000), force: true, target: 'ALL' }
    const { id } = waitingFor(await remove(args))
    const { items } = await approver.listApprovals({ query: { limit: 200 } })
    const listed = items.find(item => item.id === id)
    expect(listed).toMatchObject({ isCut: true, arguments: { force: true, target: 'ALL' } })
    expect(JSON.stringify(listed).length).toBeLessThan(25_000)
    const { stdout } = await run('list')
    expect(stdout).toContain(`hintgate approvals show ${id}`)

    const asking = new ModernClient(scene.gateway.endpoint('s'), scene.token, ASKABLE)
    const { message } = questionOf(await asking.call('delete_note', { ...args, id: 'form' }))
    expect(message).toMatch(/^NOT EVERYTHING .* hintgate approvals show ap_/)
    expect(message).toContain('"force":true,"target":"ALL"')
  })

  it.each<[string, Json, Json]>([
    ['the texts', { text: 'x'.repeat(300_000) }, {}],
    ['the values', { list: Array.from({ length: 150_000 }, () => 1) }, {}],
    ['the other parameters', {}, { 'com.example/x': 'x'.repeat(300_000) }],
  ])('are refused if %s are too long to show', async (what, more, meta) => {
    for (const tool of ['delete_note', 'wipe']) {
      const args = { id: `unseen ${what}`, ...more }
      const { code, message, remedy } = refusal(await client().call(tool, args, { meta }))
      expect(code).toBe('invalid_arguments')
      expect(message).toContain('too long to show')
      expect(remedy).toContain('Send less in one call')
    }
    // No preview is made either.
    expect(await arrivedWith(`unseen ${what}`)).toEqual([])
  })
})

/** A person who both approves and makes calls. */
async function callingPerson(name: string): Promise<string> {
  const may = ['--role', 'admin', '--permissions', 'read,destructive', '--servers', '*']
  const made = await hintgate(['tokens', 'create', name, ...may, '--json', ...scene.gateway.site.flags])
  return (JSON.parse(made.stdout) as { token: string }).token
}

describe('the question to a person', () => {
  it('does not use arguments that the tool does not declare in its sentence', async () => {
    const { id } = waitingFor(await client().call('delete_note', { id: 'n1', title: 'Nothing happens' }))
    const { action, arguments: args } = await approver.getApproval({ params: { id } })
    expect(action).toBe('Delete note: n1')
    expect(args).toEqual({ id: 'n1', title: 'Nothing happens' })
  })

  it('cannot be answered by the person whose token made the call', async () => {
    const token = await callingPerson('ada')
    const { id } = waitingFor(await client(token).call('delete_note', { id: 'own' }))
    const decision = { params: { id }, body: { decision: 'approve' } } as const
    expect(await codeOf(adminOf(scene.gateway, token).decideApproval(decision))).toBe('approval_own')
    expect(refusalOf(await client(token).call('delete_note', { id: 'own' }))).toBe('confirmation_required')
    await approver.decideApproval(decision)
    expect(refusalOf(await client(token).call('delete_note', { id: 'own' }))).toBeUndefined()
  })
})

describe('the trifecta', () => {
  const inSession = (name: string, token: string, gateway?: Gateway) =>
    client(token, gateway).call(name, {}, { meta: { 'io.hintgate/session': `just for ${name}` } })

  it('is detected for one caller across all of its sessions, also after a restart', async () => {
    const { token } = await scene.gateway.site.namedToken()
    expect(textOf(await inSession('get_private', token))).toContain('get_private')
    expect(textOf(await inSession('fetch_web', token))).toContain('fetch_web')
    const { code, remedy } = refusal(await inSession('send_out', token))
    expect(code).toBe('trifecta')
    expect(remedy).not.toContain('session of its own')
    const other = await scene.gateway.site.token()
    expect(textOf(await inSession('send_out', other))).toContain('send_out')

    await scene.gateway.stop()
    const next = await startGatewayAt(scene.gateway.site)
    await next.says(readiness('s'))
    expect(refusalOf(await inSession('send_out', token, next))).toBe('trifecta')
  })
})

describe('the request state of a server that asks during an approved call', () => {
  it('is accepted only for the same server, tool and caller', async () => {
    const witness = await openWitness()
    const asking = (name: string, tool: ScriptedTool) =>
      new ScriptedServer(name, witness, [tool], { era: 'modern' })
    const bank = asking('bank', scripted('wipe', { annotations: DESTROYS }, { does: 'ask' }))
    const other = asking('other', scripted('put', { annotations: WRITES }, { does: 'ask' }))
    const gateway = await startReadyGateway({
      confirm: { destructive: 'always', trifecta: 'off', channel: 'person' },
      mcpServers: { bank: bank.config, other: other.config },
    })
    const tokens = [await gateway.site.token(), await gateway.site.token()] as const
    const at = (server: string, token: string) =>
      new ModernClient(gateway.endpoint(server), token, { elicitation: { form: {} } })
    const own = at('bank', tokens[0])
    await approve(gateway.site, waitingFor(await own.call('wipe', { id: 1 })).id)
    const { result } = await own.call('wipe', { id: 1 })
    const said = { requestState: result?.requestState, inputResponses: { which: { action: 'accept' } } }
    for (const token of tokens) {
      const { error } = await at('other', token).request('tools/call', {
        name: 'put',
        arguments: {},
        ...said,
      })
      expect(error).toMatchObject({ data: { reason: 'invalid_request_state' } })
    }
    expect(witness.of('other').some(({ method }) => method === 'tools/call')).toBe(false)
    const went = await own.request('tools/call', { name: 'wipe', arguments: { id: 1 }, ...said })
    expect(textOf(went)).toContain('state of the server')
  })
})

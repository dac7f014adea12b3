import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FlakyServer } from '../faults/flaky-server.ts'
import { cleanUp } from '../support/clean-up.ts'
import { waitingFor } from '../support/confirming.ts'
import { type Gateway, httpServer, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { type OtlpReceiver, openReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts'
import { type Json, LegacyClient, type Message, ModernClient, textOf } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const SECRET = 'sk-live-51HsecretsecretsecretXYZ'
const [SERVER, CLIENT] = [2, 3]

let witness: Witness
let receiver: OtlpReceiver
let flaky: FlakyServer
let gateway: Gateway
let token: string

beforeAll(async () => {
  witness = await openWitness()
  receiver = await openReceiver()
  flaky = await new FlakyServer().open()
  const spoken = scripted('speak', {}, { result: { content: [{ type: 'text', text: `it is ${SECRET}` }] } })
  const drop = scripted('drop', { annotations: DESTROYS })
  gateway = await startReadyGateway({
    confirm: { destructive: 'always', trifecta: 'off' },
    telemetry: { otlp: receiver.url, headers: { 'x-key': 'of-the-collector' }, metricsEvery: '300ms' },
    mcpServers: {
      s: new ScriptedServer('s', witness, [spoken, drop, scripted('fail', {}, { does: 'fail' })], {
        era: 'modern',
      }).config,
      old: new ScriptedServer('old', witness, []).config,
      web: await httpServer('web', witness, ['--era', 'modern']),
      flaky: flaky.config({ retry: { attempts: 3, delay: '20ms', budget: 1 } }),
    },
  })
  token = await gateway.site.token()
})
afterAll(cleanUp)

let marks = 0

/** A separate trace for every test. */
function nextTrace(): { traceId: string; traceparent: string } {
  marks += 1
  const traceId = `${TRACE.slice(0, 28)}${marks.toString(16).padStart(4, '0')}`
  return { traceId, traceparent: `00-${traceId}-${PARENT}-01` }
}

const client = (server: string): ModernClient => new ModernClient(gateway.endpoint(server), token)

const find = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan | undefined =>
  spans.find(span => span.name === name && span.kind !== SERVER)

/** What a server received for the call with this mark. */
async function sentTo(server: string, mark: string): Promise<{ meta: Json; headers: Json }> {
  const seen = await witness.saw(server, 'received', ({ raw }) => raw?.includes(mark) ?? false)
  const { params } = JSON.parse(seen.raw ?? '{}') as Message
  return { meta: (params?._meta ?? {}) as Json, headers: seen.headers ?? {} }
}

describe('a call', () => {
  it('joins the trace of its caller and passes it on to the server', async () => {
    const { traceId, traceparent } = nextTrace()
    const meta = { traceparent, tracestate: 'vendor=1' }
    await client('s').call('echo', { mark: traceId }, { meta, id: 'call-7' })
    const spans = await receiver.trace(span => span.traceId === traceId)
    const call = spans.find(({ kind }) => kind === SERVER)
    const forward = spans.find(({ kind }) => kind === CLIENT)
    expect(call).toMatchObject({ name: 'tools/call echo', parentSpanId: PARENT, traceState: 'vendor=1' })
    expect(spans.map(({ name }) => name).toSorted()).toEqual([
      'hintgate.decide',
      'hintgate.inspect',
      'tools/call echo',
      'tools/call echo',
    ])
    expect(call?.attributes).toMatchObject({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'echo',
      'mcp.protocol.version': '2026-07-28',
      'jsonrpc.request.id': 'call-7',
      'hintgate.server': 's',
      'hintgate.variant': 'call_tool_read',
      'hintgate.verdict': 'allow',
      'hintgate.outcome': 'answered',
      'hintgate.attempts': 1,
      'hintgate.principal': 'agent:agent-1',
    })
    expect(call?.status.code).toBe(0)
    expect(call?.resource).toMatchObject({ 'service.name': 'hintgate' })
    expect(forward?.attributes).toMatchObject({ 'hintgate.server': 's', 'network.transport': 'pipe' })
    expect(find(spans, 'hintgate.decide')?.attributes).toEqual({ 'hintgate.verdict': 'allow' })
    const sent = await sentTo('s', traceId)
    expect(sent.meta).toMatchObject({
      traceparent: `00-${traceId}-${forward?.spanId}-01`,
      tracestate: 'vendor=1',
    })
  })

  it('has a span as long as the call, with its steps inside', async () => {
    const { traceId, traceparent } = nextTrace()
    const before = BigInt(Date.now()) * 1_000_000n
    await client('s').call('echo', {}, { meta: { traceparent } })
    const spans = await receiver.trace(span => span.traceId === traceId)
    const [call] = spans.filter(({ kind }) => kind === SERVER)
    const [start, end] = [BigInt(call?.startTimeUnixNano ?? 0), BigInt(call?.endTimeUnixNano ?? 0)]
    expect(start).toBeGreaterThanOrEqual(before)
    expect(end).toBeLessThanOrEqual(BigInt(Date.now() + 1) * 1_000_000n)
    for (const span of spans) {
      expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(start)
      expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(end)
    }
  })

  it.each(['modern', 'legacy'])('of a %s client may have its trace in the HTTP header', async era => {
    const { traceId, traceparent } = nextTrace()
    const headers = { traceparent, tracestate: 'a=1' }
    if (era === 'modern') await client('old').call('echo', { mark: traceId }, { headers })
    else {
      const legacy = await new LegacyClient(gateway.endpoint('old'), token).initialize()
      const params = { name: 'echo', arguments: { mark: traceId } }
      await legacy.post({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params }, headers).answer()
    }
    const spans = await receiver.trace(span => span.traceId === traceId)
    expect(spans.find(({ kind }) => kind === SERVER)?.parentSpanId).toBe(PARENT)
    const sent = await sentTo('old', traceId)
    expect(sent.meta.traceparent).toMatch(new RegExp(`^00-${traceId}-(?!${PARENT})[\\da-f]{16}-01$`))
  })

  it('prefers the trace in `_meta` to the HTTP header', async () => {
    const [own, other] = [nextTrace(), nextTrace()]
    const headers = { traceparent: other.traceparent }
    await client('s').call('echo', {}, { meta: { traceparent: own.traceparent }, headers })
    await receiver.trace(span => span.traceId === own.traceId)
    expect(receiver.raw).not.toContain(other.traceId)
  })

  it('to an HTTP server sends the trace in a header as well', async () => {
    const { traceId, traceparent } = nextTrace()
    await client('web').call('echo', { mark: traceId }, { meta: { traceparent } })
    const spans = await receiver.trace(span => span.traceId === traceId)
    const forward = spans.find(({ kind }) => kind === CLIENT)
    expect(forward?.attributes).toMatchObject({ 'network.transport': 'tcp', 'server.address': '127.0.0.1' })
    const { meta, headers } = await sentTo('web', traceId)
    expect(headers.traceparent).toBe(`00-${traceId}-${forward?.spanId}-01`)
    expect(meta.traceparent).toBe(headers.traceparent)
  })

  it('that its caller does not sample is not traced and keeps its context', async () => {
    const { traceId } = nextTrace()
    const traceparent = `00-${traceId}-${PARENT}-00`
    await client('s').call('echo', { mark: traceId }, { meta: { traceparent } })
    expect((await sentTo('s', traceId)).meta.traceparent).toBe(traceparent)
    const next = nextTrace()
    await client('s').call('echo', {}, { meta: { traceparent: next.traceparent } })
    await receiver.trace(span => span.traceId === next.traceId)
    expect(receiver.raw).not.toContain(traceId)
  })

  it('starts a trace when it has none or an invalid one', async () => {
    for (const meta of [{}, { traceparent: 'nonsense', tracestate: 'a=1' }]) {
      const mark = `mark-${++marks}`
      await client('s').call('echo', { mark }, { meta })
      const sent = await sentTo('s', mark)
      const [, traceId] = /^00-([\da-f]{32})-[\da-f]{16}-01$/.exec(String(sent.meta.traceparent)) ?? []
      const spans = await receiver.trace(span => span.traceId === traceId)
      expect(spans.find(({ kind }) => kind === SERVER)?.parentSpanId).toBeUndefined()
      expect(sent.meta).not.toHaveProperty('tracestate')
    }
  })

  it('that is refused shows the code and no made-up names', async () => {
    const { traceId, traceparent } = nextTrace()
    await client('s').call('made-up-name', {}, { meta: { traceparent } })
    const [call] = await receiver.trace(span => span.traceId === traceId)
    expect(call).toMatchObject({ name: 'tools/call', status: { code: 2 } })
    expect(call?.attributes).toMatchObject({ 'hintgate.outcome': 'refused', 'error.type': 'unknown_tool' })
    expect(receiver.raw).not.toContain('made-up-name')
  })

  it('whose tool failed is an error, although the protocol request succeeded', async () => {
    const { traceId, traceparent } = nextTrace()
    await client('s').call('fail', {}, { meta: { traceparent } })
    const spans = await receiver.trace(span => span.traceId === traceId)
    const call = spans.find(({ kind }) => kind === SERVER)
    expect(call?.status.code).toBe(2)
    expect(call?.attributes).toMatchObject({ 'hintgate.outcome': 'tool_error', 'error.type': 'tool_error' })
  })

  it('that needs approval has a span for it', async () => {
    const { traceId, traceparent } = nextTrace()
    waitingFor(await client('s').call('drop', { what: 'it' }, { meta: { traceparent } }))
    const spans = await receiver.trace(span => span.traceId === traceId)
    expect(find(spans, 'hintgate.confirm')).toBeDefined()
    expect(spans.some(({ kind }) => kind === CLIENT)).toBe(false)
    expect(spans.find(({ kind }) => kind === SERVER)?.attributes).toMatchObject({
      'hintgate.variant': 'call_tool_destructive',
      'hintgate.verdict': 'confirm',
    })
  })

  it('that was repeated shows every attempt', async () => {
    const { traceId, traceparent } = nextTrace()
    flaky.fates = ['cut', 'cut']
    await client('flaky').call('look', {}, { meta: { traceparent } })
    const spans = await receiver.trace(span => span.traceId === traceId)
    const forward = spans.find(({ kind }) => kind === CLIENT)
    expect(forward?.events.map(({ name }) => name)).toEqual(['retry', 'retry'])
    expect(spans.find(({ kind }) => kind === SERVER)?.attributes['hintgate.attempts']).toBe(3)
  })

  it('has the same request id in its trace and in the audit log', async () => {
    const { traceId, traceparent } = nextTrace()
    await client('s').call('echo', { mark: traceId }, { meta: { traceparent } })
    const spans = await receiver.trace(span => span.traceId === traceId)
    const requestId = String(spans.find(({ kind }) => kind === SERVER)?.attributes['hintgate.request.id'])
    const { stdout } = await hintgate([
      ...['audit', 'query', '--request', requestId, '--json'],
      ...gateway.site.flags,
    ])
    expect(stdout).toContain(traceId)
  })
})

describe('metrics', () => {
  it('are exported with calls, durations and server states', async () => {
    await client('s').call('echo')
    const isCall = ({ metric, attributes }: { metric: string; attributes: Json }): boolean =>
      metric === 'hintgate.calls' &&
      attributes['hintgate.server'] === 's' &&
      attributes['hintgate.outcome'] === 'answered'
    expect(Number((await receiver.points.until(isCall)).value)).toBeGreaterThan(0)
    const took = await receiver.points.until(({ metric }) => metric === 'mcp.server.operation.duration')
    expect(Number(took.count)).toBeGreaterThan(0)
    expect(took.attributes).toMatchObject({ 'mcp.method.name': 'tools/call' })
    // The first exports may have been sent before the server was ready.
    await receiver.points.until(
      ({ metric, attributes, value }) =>
        metric === 'hintgate.server.up' && attributes['hintgate.server'] === 's' && value === 1,
    )
  })

  it('are shown at /metrics in the Prometheus format', async () => {
    await client('s').call('echo')
    waitingFor(await client('s').call('drop', { what: 'else' }))
    const made = await hintgate(['tokens', 'create', 'ada', '--admin', '--json', ...gateway.site.flags])
    const person = (JSON.parse(made.stdout) as { token: string }).token
    const show = async () =>
      (await fetch(`${gateway.url}/metrics`, { headers: { authorization: `Bearer ${person}` } })).text()
    const text = await show()
    const labels = 'server="s",variant="call_tool_read",verdict="allow",outcome="answered"'
    expect(text).toMatch(new RegExp(`^hintgate_calls_total\\{${labels}\\} [1-9]`, 'm'))
    expect(text).toContain('# TYPE hintgate_call_duration_seconds histogram')
    expect(text).toMatch(
      new RegExp(`^hintgate_call_duration_seconds_bucket\\{le="\\+Inf",${labels}\\} [1-9]`, 'm'),
    )
    expect(text).toMatch(new RegExp(`^hintgate_call_duration_seconds_count\\{${labels}\\} [1-9]`, 'm'))
    expect(text).toMatch(/^hintgate_refusals_total\{code="confirmation_required"\} [1-9]/m)
    expect(text).toMatch(/^hintgate_tool_calls_total\{server="s",tool="echo"\} [1-9]/m)
    for (const name of ['running', 'waiting', 'breaker_open'])
      expect(text).toMatch(new RegExp(`^hintgate_server_${name}\\{server="s"\\} 0$`, 'm'))
    expect(text).toMatch(/^hintgate_audit_waiting 0$/m)
    // Exported twice, counted once.
    const before = Number(/^hintgate_tool_calls_total\{server="s",tool="echo"\} (\d+)/m.exec(text)?.[1])
    await client('s').call('echo')
    expect(await show()).toContain(`hintgate_tool_calls_total{server="s",tool="echo"} ${before + 1}`)
  })
})

describe('exported data', () => {
  it('never contains arguments, results or credentials', async () => {
    const { traceId, traceparent } = nextTrace()
    const said = await client('s').call('speak', { password: `${SECRET}-given` }, { meta: { traceparent } })
    expect(textOf(said)).toContain(SECRET)
    await receiver.trace(span => span.traceId === traceId)
    await new Promise(resolve => setTimeout(resolve, 700))
    expect(receiver.raw).toContain('x-key')
    for (const secret of [SECRET, token, 'hg_agent_', 'Bearer ']) expect(receiver.raw).not.toContain(secret)
  })
})

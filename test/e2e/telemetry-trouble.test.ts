import { afterAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, Site, startGatewayAt, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { openReceiver } from '../support/otlp-receiver.ts'
import { ModernClient, refusalOf } from '../support/raw-mcp.ts'
import { ScriptedServer } from '../support/scripted-server.ts'
import { openWitness } from '../support/witness.ts'

afterAll(cleanUp)

async function start(telemetry: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) {
  const witness = await openWitness()
  const gateway = await startReadyGateway(
    { telemetry, mcpServers: { s: new ScriptedServer('s', witness, []).config } },
    { env },
  )
  return { gateway, client: new ModernClient(gateway.endpoint('s'), await gateway.site.token()) }
}

async function callMany(client: ModernClient, count: number): Promise<number> {
  let wrong = 0
  let left = count
  const work = async (): Promise<void> => {
    while (left-- > 0) if ((await client.call('echo')).result === undefined) wrong += 1
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return wrong
}

const complaints = (gateway: Gateway): number =>
  gateway.stderr.items.filter(line => line.includes('telemetry cannot be delivered')).length

describe('a collector', () => {
  it('that is unreachable is reported once and affects no call', async () => {
    const { gateway, client } = await start({ otlp: 'http://127.0.0.1:9', metricsEvery: '200ms' })
    expect(await callMany(client, 200)).toBe(0)
    await gateway.says(/telemetry cannot be delivered/)
    await new Promise(resolve => setTimeout(resolve, 2000))
    expect(await callMany(client, 50)).toBe(0)
    expect(complaints(gateway)).toBe(1)
    expect(await gateway.stop()).toBe(0)
  })

  it('that comes back receives new data', async () => {
    const receiver = await openReceiver()
    receiver.mood = 'sick'
    const { gateway, client } = await start({ otlp: receiver.url, metricsEvery: '200ms' })
    await client.call('echo')
    await gateway.says(/telemetry cannot be delivered/)
    receiver.mood = 'well'
    await gateway.says(/telemetry is delivered again/)
    await client.call('echo')
    expect(await receiver.spans.until(({ kind }) => kind === 2)).toMatchObject({ name: 'tools/call echo' })
  })

  it('that never answers delays neither calls nor shutdown', async () => {
    const receiver = await openReceiver()
    receiver.mood = 'silent'
    const settings = { otlp: receiver.url, metricsEvery: '200ms', tracesPerSecond: 1_000_000 }
    const { gateway, client } = await start(settings)
    expect(await callMany(client, 1000)).toBe(0)
    const stoppedAt = Date.now()
    expect(await gateway.stop()).toBe(0)
    expect(Date.now() - stoppedAt).toBeLessThan(8000)
  })

  it('receives the remaining data at shutdown', async () => {
    const receiver = await openReceiver()
    const { gateway, client } = await start({ otlp: receiver.url, metricsEvery: '1h' })
    await client.call('echo')
    expect(await gateway.stop()).toBe(0)
    expect(receiver.spans.items.map(({ name }) => name)).toContain('hintgate.decide')
    expect(receiver.points.items.find(({ metric }) => metric === 'hintgate.calls')?.value).toBe(1)
  })

  it('receives traces up to the limit, and the number of skipped ones', async () => {
    const receiver = await openReceiver()
    const { gateway, client } = await start({ otlp: receiver.url, metricsEvery: '1h', tracesPerSecond: 1 })
    await callMany(client, 100)
    await gateway.stop()
    const traced = receiver.spans.items.filter(({ kind }) => kind === 2).length
    expect(traced).toBeGreaterThan(0)
    expect(traced).toBeLessThan(20)
    const missed = receiver.points.items.find(({ metric }) => metric === 'hintgate.untraced.calls')
    expect(missed?.value).toBe(100 - traced)
  })
})

describe('without a config, telemetry', () => {
  it('goes to the endpoint in the environment, under the configured service name', async () => {
    const receiver = await openReceiver()
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_SERVICE_NAME: 'gate-7',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=me',
    }
    const { client } = await start({}, env)
    await client.call('echo')
    const span = await receiver.spans.until(({ kind }) => kind === 2)
    expect(span.resource['service.name']).toBe('gate-7')
    expect(receiver.raw).toContain('x-tenant')
  })

  it('is off and needs no packages', async () => {
    const { client } = await start({}, { NODE_OPTIONS: WITHOUT_PACKAGES })
    expect(refusalOf(await client.call('echo'))).toBeUndefined()
  })
})

/** Hides OpenTelemetry's packages from a process, as if they were not installed. */
const HOOK = `export const resolve = (name, context, next) => {
  if (!name.startsWith('@opentelemetry/')) return next(name, context)
  throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' })
}`
const url = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`
/** The command runs from a bundle that requires these packages at run time. */
const REQUIRE_HOOK = `import Module, { register } from 'node:module'
register(${JSON.stringify(url(HOOK))})
const find = Module._resolveFilename
Module._resolveFilename = (name, ...rest) => {
  if (!name.startsWith('@opentelemetry/')) return find(name, ...rest)
  throw Object.assign(new Error('Cannot find module ' + name), { code: 'MODULE_NOT_FOUND' })
}`
const WITHOUT_PACKAGES = `--import ${url(REQUIRE_HOOK)}`

describe('packages that are not installed', () => {
  it('stop the start with the command that installs them', async () => {
    const site = new Site({ telemetry: { otlp: 'http://127.0.0.1:9' } })
    const done = await hintgate(['serve', ...site.flags, '--listen', '127.0.0.1:0'], {
      env: { NODE_OPTIONS: WITHOUT_PACKAGES },
    })
    expect(done.code).toBe(1)
    expect(done.stderr).toContain('npm install @opentelemetry/api@')
    expect(done.stdout).toBe('')
  })

  it('are not needed when the environment disables telemetry', async () => {
    const site = new Site({ telemetry: { otlp: 'http://127.0.0.1:9' } })
    const env = { NODE_OPTIONS: WITHOUT_PACKAGES, OTEL_SDK_DISABLED: 'true' }
    const gateway = await startGatewayAt(site, { env })
    expect(await gateway.stop()).toBe(0)
  })
})

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { randomId } from '../protocol/trace-context.ts'
import { loadOpenTelemetry } from './opentelemetry.ts'
import { Otlp } from './otlp.ts'
import type { Span } from './span.ts'

let silent: Server
let url: string

beforeAll(async () => {
  silent = createServer(() => {})
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
})
afterAll(() => {
  silent.closeAllConnections()
  silent.close()
})

async function open(): Promise<Otlp> {
  return new Otlp(await loadOpenTelemetry(), {
    config: { otlp: url, headers: {}, tracesPerSecond: 100, metricsEveryMs: 60_000 },
    version: '0',
    gather: () => [],
    onTrouble: () => {},
  })
}

function makeSpan(): Span {
  return {
    name: 'tools/call echo',
    kind: 'server',
    traceId: randomId(16),
    id: randomId(8),
    startMs: Date.now(),
    endMs: Date.now(),
    attributes: { 'hintgate.request.id': randomId(16) },
    events: [],
    isError: false,
  }
}

/** Returns how much memory is in use after garbage collection. */
function usedMegabytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

it('drops spans that no collector accepts, however many there are', async () => {
  const otlp = await open()
  otlp.addSpans([makeSpan()])
  const before = usedMegabytes()
  for (let call = 0; call < 40_000; call++) {
    otlp.addSpans([makeSpan(), makeSpan(), makeSpan(), makeSpan()])
    if (call % 100 === 0) await new Promise(setImmediate)
  }
  expect(usedMegabytes() - before).toBeLessThan(20)
  const closedAt = Date.now()
  await otlp.close()
  expect(Date.now() - closedAt).toBeLessThan(4000)
})

import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { ModernClient, textOf } from '../support/raw-mcp.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { createRandom, type Held, measure, percentile } from './measure.ts'
import { type Tally, Visitor } from './visitors.ts'

// Many agents in front of many servers, some of them rude, for a while: nothing is lost, nothing crosses, nothing stays.
// `npm test` does it for half a minute; `npm run test:soak -- --minutes 30` for longer.

const MINUTES = Number(process.env.HINTGATE_SOAK_MINUTES ?? 0.5)
const SIZE = {
  agents: Number(process.env.HINTGATE_SOAK_AGENTS ?? 1000),
  servers: Number(process.env.HINTGATE_SOAK_SERVERS ?? 60),
}
const VISITORS = Number(process.env.HINTGATE_SOAK_VISITORS ?? 24)
const LOAD_MS = MINUTES * 60_000
const TIMEOUT_MS = LOAD_MS + 180_000

let fleet: Fleet
let before: Held
const samples: number[] = []
const tally: Tally = { answered: 0, cancelled: 0, lost: [], crossed: [], times: [] }

beforeAll(async () => {
  fleet = await startFleet(SIZE)
  before = measure(fleet.gateway.pid)
}, 180_000)
afterAll(async () => {
  await cleanUp()
  report()
}, 60_000)

async function load(): Promise<void> {
  const until = Date.now() + LOAD_MS
  const watch = setInterval(() => samples.push(measure(fleet.gateway.pid).megabytes), LOAD_MS / 40)
  const visitors = Array.from(
    { length: VISITORS },
    (_, at) => new Visitor(fleet, tally, createRandom(at + 1)),
  )
  await Promise.all(visitors.map(visitor => visitor.stay(until)))
  clearInterval(watch)
}

function report(): void {
  const mb = samples.map(value => Math.round(value))
  const line = {
    ...{ minutes: MINUTES, ...SIZE, visitors: VISITORS },
    ...{
      answered: tally.answered,
      cancelled: tally.cancelled,
      lost: tally.lost.length,
      crossed: tally.crossed.length,
    },
    ...{ p50: Math.round(percentile(tally.times, 0.5)), p99: Math.round(percentile(tally.times, 0.99)) },
    ...{ megabytesAtFirst: mb[Math.floor(mb.length / 2)] ?? 0, megabytesAtLast: mb.at(-1) ?? 0 },
  }
  const file = process.env.HINTGATE_SOAK_REPORT
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
  console.log(`soak: ${JSON.stringify(line)}`)
}

describe(`${SIZE.agents} agents and ${SIZE.servers} servers`, () => {
  it(
    'lose no answer, and get nobody else’s',
    async () => {
      await load()
      expect(tally.crossed).toEqual([])
      expect(tally.lost.slice(0, 5)).toEqual([])
      expect(tally.answered).toBeGreaterThan(100)
    },
    TIMEOUT_MS,
  )

  it(
    'leave no socket and no process behind',
    async () => {
      const { pid } = fleet.gateway
      // Connections that were kept alive are let go after a while.
      await expect
        .poll(() => measure(pid).files, { timeout: 60_000, interval: 1000 })
        .toBeLessThanOrEqual(before.files + 40)
      expect(measure(pid).children).toBe(before.children)
      expect(fleet.gateway.stderr.items.filter(line => /MaxListeners|Warning|Error:/.test(line))).toEqual([])
    },
    TIMEOUT_MS,
  )

  it('do not make the gateway grow', () => {
    if (samples.every(megabytes => megabytes === 0)) return
    const [middle, end] = [
      samples.slice(samples.length / 2, (samples.length * 3) / 4),
      samples.slice((samples.length * 3) / 4),
    ]
    // In a short run the heap is still finding its size.
    const allowed = MINUTES < 5 ? percentile(middle, 0.5) * 0.3 + 40 : percentile(middle, 0.5) * 0.1 + 20
    expect(percentile(end, 0.5) - percentile(middle, 0.5)).toBeLessThan(allowed)
  })

  it(
    'leave the others what they had: everybody is answered afterwards',
    async () => {
      for (const server of fleet.servers.slice(0, 10)) {
        const client = new ModernClient(fleet.gateway.endpoint(server), fleet.tokens[0] ?? '')
        expect(textOf(await client.call('read', { after: 1 }))).toContain(`"server":"${server}"`)
      }
      await pause(100)
      expect(await fleet.gateway.stop()).toBe(0)
    },
    TIMEOUT_MS,
  )
})

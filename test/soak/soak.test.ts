import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { hintgate } from '../support/hintgate.ts'
import { ModernClient, textOf } from '../support/raw-mcp.ts'
import { describe as describeRun, readCpu } from './figures.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { findGrowth } from './judge.ts'
import { createRandom, type Held, measure, probe, type Reading } from './measure.ts'
import { keepPace } from './pace.ts'
import { PATIENCE_MS, stop } from './patience.ts'
import { Scene } from './scene.ts'
import { Tally } from './tally.ts'
import { visit } from './visits.ts'

// Many agents in front of many servers, some misbehaving, for a while: no answer may be lost or mixed up, and nothing
// may leak. scripts/soak.mjs starts it; `npm test` runs it for five minutes beside the other tests. Nothing depends on
// the speed of the machine: times are reported, not judged.

const set = (name: string, otherwise: number): number =>
  Number(process.env[`HINTGATE_SOAK_${name}`] ?? otherwise)
const SIZE = { agents: set('AGENTS', 1000), servers: set('SERVERS', 200) }
const PACE = {
  perSecond: set('RATE', 40),
  atOnce: set('AT_ONCE', 250),
  ms: set('MINUTES', 0.5) * 60_000,
}
/** After this time every code path has run once and caches are warm. */
const EARLY = 0.2
/** Abandoned sessions end after half a minute. */
const FORGET_MS = 32_000
const MOST_READINGS = 5
const TIMEOUT_MS = PACE.ms + 4 * PATIENCE_MS
/** Idle connections to servers are closed after some seconds. */
const CLOSE_MS = 8000
const PROGRESS_MS = 15_000

let fleet: Fleet
let scene: Scene
let before: Held
let early: Reading
let late: Reading
const tally = new Tally()

beforeAll(async () => {
  fleet = await startFleet(SIZE)
  scene = new Scene(fleet, tally, createRandom(set('SEED', 1)))
  for (const server of fleet.servers) await greet(server)
  await pause(CLOSE_MS)
  before = measure(fleet.gateway.pid)
  say(`${SIZE.agents} agents, ${SIZE.servers} servers, ${PACE.perSecond} visits a second: ready`)
}, 2 * PATIENCE_MS)
afterAll(cleanUp, PATIENCE_MS)

/** One call, after which a server has allocated everything that its calls need. */
async function greet(server: string): Promise<void> {
  const client = new ModernClient(fleet.gateway.endpoint(server), fleet.tokens[0] ?? '')
  expect(textOf(await client.call('read', { hello: 1 }))).toContain(`"server":"${server}"`)
}

function say(what: string): void {
  console.log(`soak: ${what}`)
}

let shown = 0

/** Failures are printed when they happen, because the state of the machine is unknown half an hour later. */
function showTrouble(): void {
  const all = [...tally.lost, ...tally.crossed]
  for (const trouble of all.slice(shown, shown + 5)) say(trouble)
  shown = all.length
}

function showProgress(): void {
  showTrouble()
  const { answered = 0 } = tally.counts
  const trouble = `${tally.lost.length} lost, ${tally.crossed.length} crossed`
  const { megabytes, files, children } = measure(fleet.gateway.pid)
  say(`${answered} answered, ${trouble}; ${Math.round(megabytes)} MB, ${files} files, ${children} processes`)
}

/** All clients disconnect, and the gateway releases their resources. */
async function settle(): Promise<Reading> {
  scene.leave()
  await pause(FORGET_MS)
  const { pid } = fleet.gateway
  const wanted = { children: before.children, hasMoreFiles: false }
  const now = () => {
    const { children, files } = measure(pid)
    return { children, hasMoreFiles: files > before.files + 5 }
  }
  for (let reading = 1; ; reading += 1) {
    await expect.poll(now, { timeout: PATIENCE_MS, interval: 1000 }).toEqual(wanted)
    const found = await probe(fleet.gateway)
    // Servers change their lists all the time, and pending list requests would count as growth.
    if (!now().hasMoreFiles || reading === MOST_READINGS) return found
  }
}

describe(`${SIZE.agents} agents and ${SIZE.servers} servers`, () => {
  it(
    'lose no answer, mix up none, and leave no socket and no process behind',
    async () => {
      const progress = setInterval(showProgress, PROGRESS_MS)
      const [startedAt, cpuBefore] = [Date.now(), readCpu(fleet)]
      const go = (dueAt: number): Promise<void> => visit(scene, dueAt)
      let leftOut = await keepPace({ ...PACE, ms: PACE.ms * EARLY }, go)
      early = await settle()
      leftOut += await keepPace({ ...PACE, ms: PACE.ms * (1 - EARLY) }, go)
      late = await settle()
      clearInterval(progress)
      const cpu = subtract(readCpu(fleet), cpuBefore)
      const seconds = (Date.now() - startedAt) / 1000
      report({ leftOut, cpu, seconds })
      expect(tally.crossed.slice(0, 5)).toEqual([])
      expect(tally.lost.slice(0, 5)).toEqual([])
      expect(tally.counts.answered).toBeGreaterThan(100)
    },
    TIMEOUT_MS,
  )

  it('cause no growth in memory, timers, sockets or listeners', () => {
    expect(findGrowth(early, late)).toEqual([])
    const complaints = fleet.gateway.stderr.items.filter(line => /MaxListeners|Warning|Error:/.test(line))
    expect(complaints.filter(line => !line.includes('v8.queryObjects'))).toEqual([])
  })

  it(
    'leave the gateway able to answer everyone afterwards',
    async () => {
      for (const server of fleet.servers.slice(0, 10)) await greet(server)
      expect(await stop(fleet.gateway)).toBe(0)
    },
    PATIENCE_MS,
  )

  it(
    'are all in the audit log with an intact chain',
    async () => {
      const verified = await hintgate(['audit', 'verify', '--json', ...fleet.gateway.site.flags])
      const { isIntact, rows } = JSON.parse(verified.stdout) as { isIntact: boolean; rows: number }
      expect({ isIntact, code: verified.code }).toEqual({ isIntact: true, code: 0 })
      expect(rows).toBeGreaterThanOrEqual(tally.counts.answered ?? 0)
    },
    PATIENCE_MS,
  )
})

function report(run: Pick<Parameters<typeof describeRun>[0], 'leftOut' | 'cpu' | 'seconds'>): void {
  const figures = describeRun({ size: SIZE, pace: PACE, tally, early, late, ...run })
  for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(36)} ${value}`)
  const file = process.env.HINTGATE_SOAK_REPORT
  if (file !== undefined) writeFileSync(file, JSON.stringify(figures))
}

type Cpu = ReturnType<typeof readCpu>

function subtract(after: Cpu, from: Cpu): Cpu {
  return {
    gateway: after.gateway - from.gateway,
    servers: after.servers - from.servers,
    visitors: after.visitors - from.visitors,
  }
}

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AuditRecorder } from '../../packages/gateway/src/audit/audit-recorder.ts'
import { Sealer } from '../../packages/gateway/src/audit/sealer.ts'
import { verifyChains } from '../../packages/gateway/src/audit/verify-chains.ts'
import { openStore } from '../../packages/gateway/src/store/open/open-store.ts'
import type { Store } from '../../packages/gateway/src/store/store.ts'
import { TEST_MS } from '../support/patience.ts'
import { reportFault } from './report-fault.ts'

const DIST = fileURLToPath(new URL('../../packages/gateway/dist/', import.meta.url))
const ROUNDS = Number(process.env.HINTGATE_CRASH_ROUNDS ?? 5)
const PATIENCE_MS = TEST_MS + ROUNDS * 5000

/** Records calls, sixteen at a time, and prints which rows were acknowledged as durable. */
const RECORDS = `
import { writeSync } from 'node:fs'
const [file, secret, round] = process.argv.slice(1)
const { openStore } = await import('${DIST}store/open/open-store.js')
const { AuditRecorder } = await import('${DIST}audit/audit-recorder.js')
const store = await openStore('sqlite:' + file)
const recorder = new AuditRecorder({ store: store.audit, secret: Buffer.from(secret, 'hex') })
writeSync(1, 'closed ' + (await recorder.start()) + '\\n')
const known = { fingerprint: 'f', variant: 'call_tool_write', hints: '', title: 'Write' }
const reads = { ...known, variant: 'call_tool_read' }
let next = 0
const work = async () => {
  for (;;) {
    const requestId = round + '-' + next++
    const call = { requestId, at: Date.now(), principal: 'agent:bot', session: 's', door: 'search', server: 'crm',
      tool: 'write', typed: 'crm:write', known, arguments: { requestId }, verdict: 'allow', reasons: [] }
    await recorder.intent(call)
    writeSync(1, 'intent ' + requestId + '\\n')
    const read = { ...call, requestId: requestId + '-read', known: reads }
    recorder.outcome({ call: read, outcome: 'answered', attempts: 1, durationMs: 1 })
    await new Promise(resolve => setTimeout(resolve, Math.random() * 5))
    await recorder.outcome({ call, outcome: 'answered', attempts: 1, durationMs: 1 })
    writeSync(1, 'outcome ' + requestId + '\\n')
  }
}
await Promise.all(Array.from({ length: 16 }, work))
`

describe('the audit log of a killed process', () => {
  let folder: string
  let file: string
  const secret = randomBytes(32)
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-e2e-crash-'))
    file = join(folder, 'store.db')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Kills a process while it writes; returns what it printed. */
  async function crash(round: number): Promise<Map<string, string[]>> {
    const args = ['--input-type=module', '-e', RECORDS, file, secret.toString('hex'), `r${round}`]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    const closed = once(child, 'close')
    while (!output.includes('outcome ') && child.exitCode === null) await sleep(5)
    await sleep(20 + Math.random() * 150)
    child.kill('SIGKILL')
    await closed
    const said = new Map<string, string[]>()
    // The kill may have cut off the last line.
    for (const line of output.split('\n').slice(0, -1)) {
      const [kind = '', id = ''] = line.split(' ')
      said.set(kind, [...(said.get(kind) ?? []), id])
    }
    return said
  }

  async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore(`sqlite:${file}`)
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }

  it(
    `has every acknowledged row after ${ROUNDS} kills, and the next start ends open calls`,
    async () => {
      let [open, acknowledged] = [0, 0]
      for (let round = 0; round < ROUNDS; round++) {
        const said = await crash(round)
        // The calls left open in the previous round.
        expect(said.get('closed')).toEqual([String(open)])
        await withStore(async ({ audit }) => {
          const kinds = new Map<string, Set<string>>()
          for (let cursor: string | undefined, count = 1; count > 0; ) {
            const slice = await audit.read(cursor, 5000)
            for (const { kind, request } of slice.rows)
              kinds.set(kind, (kinds.get(kind) ?? new Set()).add(request))
            cursor = slice.cursor
            count = slice.rows.length
          }
          expect(said.get('intent')?.length).toBeGreaterThan(0)
          acknowledged += (said.get('intent')?.length ?? 0) + (said.get('outcome')?.length ?? 0)
          const lost = ['intent', 'outcome'].flatMap(kind => {
            return (said.get(kind) ?? []).filter(id => kinds.get(kind)?.has(id) !== true)
          })
          expect(lost).toEqual([])
          expect((await verifyChains(audit, new Sealer(secret))).problems).toEqual([])
          open = (await audit.open()).length
        })
      }
      await withStore(async ({ audit }) => {
        const recorder = new AuditRecorder({ store: audit, secret })
        expect(await recorder.start()).toBe(open)
        await recorder.close()
        expect(await audit.open()).toEqual([])
        expect((await verifyChains(audit, new Sealer(secret))).problems).toEqual([])
        const writers = await audit.writers()
        const { calls } = await audit.query({ outcome: 'unknown', limit: 1000 })
        expect(calls.length).toBeGreaterThan(0)
        expect(writers.every(({ closedAt }) => closedAt !== undefined)).toBe(true)
      })
      const tried = `${ROUNDS} rounds, ${acknowledged} rows acknowledged`
      reportFault({ fault: 'kill -9 of a process that only records, SQLite', tried, lost: [] })
    },
    PATIENCE_MS,
  )
})

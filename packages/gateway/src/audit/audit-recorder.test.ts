import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { markProcess } from '../base/process-mark.ts'
import { readAllRows } from '../store/audit-log/test-support/tamper-with-rows.ts'
import type { Tables } from '../store/sql/schema.ts'
import { createAuditStore } from '../store/sqlite/audit-store.ts'
import { createDialect } from '../store/sqlite/dialect.ts'
import { openDatabase, openForCommits } from '../store/sqlite/open-database.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { AuditRecorder, type AuditRecorderDeps } from './audit-recorder.ts'
import { Sealer } from './sealer.ts'
import { exampleEnding, exampleEntry, READS } from './test-support/example-entry.ts'
import { verifyChains } from './verify-chains.ts'

describe('the audit recorder', () => {
  const secret = randomBytes(32)
  let folder: string
  let file: string
  let store: Store
  let recorders: AuditRecorder[]
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-audit-'))
    file = join(folder, 'store.db')
    store = openSqliteStore(file, { busyTimeoutMs: 100 })
    recorders = []
  })
  afterEach(async () => {
    for (const recorder of recorders) await recorder.close()
    await store.close()
    rmSync(folder, { recursive: true })
  })

  const create = (fields: Partial<AuditRecorderDeps> = {}): AuditRecorder => {
    const recorder = new AuditRecorder({ store: store.audit, secret, ...fields })
    recorders.push(recorder)
    return recorder
  }
  /** Creates a log that commits, but reports a failure while `isTold` is set. */
  const lying = (lie: { readonly isTold: boolean }): Store['audit'] => ({
    ...store.audit,
    append: async batch => {
      const isAppended = await store.audit.append(batch)
      if (lie.isTold) throw new Error('connection lost')
      return isAppended
    },
  })
  /** Reads the log from the file, as another process would. */
  const look = () => readAllRows(file)
  const expectIntact = async () =>
    expect((await verifyChains(store.audit, new Sealer(secret))).problems).toEqual([])

  it('records every call, even one with an unusual outcome', async () => {
    const errors: unknown[] = []
    const recorder = create({ onError: error => errors.push(error), maskText: text => text.trim() })
    const [write, read] = [exampleEntry('r1'), { ...exampleEntry('r2'), known: READS }]
    const detail = ['no text'] as unknown as string
    await recorder.intent(write)
    await recorder.outcome({ ...exampleEnding(write), detail })
    await recorder.intent(read)
    await recorder.outcome({ ...exampleEnding(read), detail })
    await recorder.close()
    expect(look().map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['intent', ''],
      ['outcome', 'unknown'],
      ['call', 'unknown'],
    ])
    expect(errors).toHaveLength(2)
    await expectIntact()
  })

  it('has stored the intent before a call is sent, and the outcome before the answer is released', async () => {
    const recorder = create()
    const entry = exampleEntry('r1')
    await recorder.intent(entry)
    expect(look().map(({ kind }) => kind)).toEqual(['intent'])
    await recorder.outcome(exampleEnding(entry))
    expect(look().map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['intent', ''],
      ['outcome', 'answered'],
    ])
    await expectIntact()
  })

  it('records everything that is known about a call', async () => {
    const recorder = create()
    const entry = exampleEntry('r1', {
      typed: 'update contact',
      intent: { operation_type: 'write', reason: 'because' },
      reasons: [{ rule: 'policy.x', source: 'policies/a.yaml:3', text: 'so' }],
      approval: 'ap_1',
      verdict: 'confirm',
    })
    await recorder.intent(entry)
    await recorder.outcome(
      exampleEnding(entry, { outcome: 'failed', code: 'upstream_timeout', detail: 'slow' }),
    )
    const [intent, outcome] = await store.audit.find('r1')
    expect(intent).toMatchObject({
      agent: 'agent:bot',
      server: 'crm',
      tool: 'update',
      variant: 'write',
      verdict: 'confirm',
    })
    expect(JSON.parse(intent?.body ?? '')).toEqual({
      session: 'session-1',
      door: 'search',
      typed: 'update contact',
      title: 'Update contact',
      fingerprint: 'f'.repeat(64),
      hints: 'readOnly-default destructive+declared',
      intent: { operation_type: 'write', reason: 'because' },
      reasons: [{ rule: 'policy.x', source: 'policies/a.yaml:3', text: 'so' }],
      approval: 'ap_1',
      argsBytes: 14,
      args: { name: 'Ada' },
    })
    expect(outcome).toMatchObject({
      outcome: 'failed',
      code: 'upstream_timeout',
      agent: 'agent:bot',
      at: 1000,
    })
    expect(JSON.parse(outcome?.body ?? '')).toEqual({ attempts: 1, ms: 12, resultBytes: 34, detail: 'slow' })
  })

  it('records reads and refusals in one row, without waiting', async () => {
    const recorder = create()
    const read = exampleEntry('read', { known: READS })
    expect(recorder.intent(read)).toBeUndefined()
    expect(recorder.outcome(exampleEnding(read))).toBeUndefined()
    const refused = exampleEntry('refused', { verdict: 'deny', known: undefined })
    expect(
      recorder.outcome(exampleEnding(refused, { outcome: 'refused', code: 'unknown_tool' })),
    ).toBeUndefined()
    await expect
      .poll(() => look().map(({ kind, request }) => [kind, request]))
      .toEqual([
        ['call', 'read'],
        ['call', 'refused'],
      ])
    expect(look()[0]?.body).toContain('"args":{"name":"Ada"}')
  })

  it("stores no secret from the arguments, the agent's text or an error", async () => {
    const recorder = create({ maskText: text => text.replaceAll('hunter2', '[secret]') })
    const entry = exampleEntry('r1', {
      arguments: { password: 'swordfish', note: 'it is hunter2' },
      intent: { reason: 'hunter2 told me' },
      typed: 'hunter2',
    })
    await recorder.intent(entry)
    await recorder.outcome(exampleEnding(entry, { detail: 'no hunter2 here' }))
    await recorder.outcome(exampleEnding(exampleEntry('r2', { arguments: { token: 'swordfish' } })))
    await recorder.close()
    const bodies = look().map(({ body }) => body)
    expect(bodies).toHaveLength(3)
    expect(bodies.join('')).not.toMatch(/hunter2|swordfish/)
    expect(bodies[0]).toContain(`"argsBytes":${JSON.stringify(entry.arguments).length},`)
  })

  it('masks the names of unknown tools', async () => {
    const recorder = create({ maskText: text => text.replaceAll('hunter2', '***') })
    const call = exampleEntry('r1', { tool: 'hunter2', known: undefined, verdict: 'deny' })
    await recorder.outcome(exampleEnding(call, { outcome: 'refused' }))
    await recorder.close()
    expect(look().map(({ tool }) => tool)).toEqual(['***'])
  })

  it('stores names that a database cannot keep in a form that still matches the chain', async () => {
    const recorder = create()
    const odd = 'a\u0000b\ud800c\u001fd\n'
    const entry = exampleEntry('r1', {
      server: odd,
      tool: odd.repeat(100),
      typed: odd,
      arguments: { [odd]: odd },
    })
    await recorder.intent(entry)
    await recorder.outcome(exampleEnding(entry, { code: odd, detail: odd }))
    expect((await store.audit.find('r1'))[0]?.server).toBe('a\ufffdb\ufffdc\ufffdd\ufffd')
    await expectIntact()
  })

  it('ends the open calls of a dead process as unknown, once', async () => {
    const gone = create({ mark: { ...markProcess(), pid: 2 ** 22 + 1 } })
    await gone.intent(exampleEntry('open'))
    await gone.intent(exampleEntry('done'))
    await gone.outcome(exampleEnding(exampleEntry('done')))
    const [one, two] = [create(), create()]
    const ended = await Promise.all([one.start(), two.start()])
    expect(ended.toSorted()).toEqual([0, 1])
    expect(await create().start()).toBe(0)
    const rows = await store.audit.find('open')
    expect(rows.map(({ kind, outcome, writer }) => [kind, outcome, writer === 1])).toEqual([
      ['intent', '', true],
      ['outcome', 'unknown', false],
    ])
    expect(await store.audit.open()).toEqual([])
    await expectIntact()
  })

  it('leaves the open calls of a running process alone', async () => {
    await create().intent(exampleEntry('open'))
    expect(await create().start()).toBe(0)
    expect(await store.audit.open()).toHaveLength(1)
  })

  it('ends its own open calls when it is closed, so that others need not check it again', async () => {
    const recorder = create()
    await recorder.intent(exampleEntry('open'))
    await recorder.close()
    expect((await store.audit.find('open')).map(({ outcome }) => outcome)).toEqual(['', 'unknown'])
    expect((await store.audit.writers())[0]?.closedAt).toBeDefined()
  })

  it('ends a call whose intent was still queued at the close', async () => {
    const recorder = create()
    const intent = recorder.intent(exampleEntry('late'))
    await Promise.all([intent, recorder.close()])
    expect((await store.audit.find('late')).map(({ outcome }) => outcome)).toEqual(['', 'unknown'])
  })

  it('stores the whole call with its outcome if the intent could not be stored', async () => {
    const broken = { isIt: true }
    const append: Store['audit']['append'] = batch =>
      broken.isIt ? Promise.reject(new Error('disk full')) : store.audit.append(batch)
    const recorder = create({ store: { ...store.audit, append }, onError: () => {} })
    const entry = exampleEntry('r1')
    expect(await recorder.intent(entry)).toMatchObject({ message: expect.stringContaining('disk full') })
    expect(recorder.waiting).toBe(0)
    broken.isIt = false
    await recorder.outcome(exampleEnding(entry, { outcome: 'refused', code: 'overloaded' }))
    await recorder.close()
    expect(look().map(({ kind, outcome }) => [kind, outcome])).toEqual([['call', 'refused']])
  })

  it('reports how many calls waited and for how long', async () => {
    const waits: number[] = []
    const recorder = create({ onWaited: count => waits.push(count) })
    const both = [recorder.intent(exampleEntry('r1')), recorder.intent(exampleEntry('r2'))]
    expect(recorder.waiting).toBe(2)
    for (const one of both) await one
    expect([waits, recorder.waiting]).toEqual([[2], 0])
  })

  it('accepts nothing after it is closed', async () => {
    const recorder = create()
    await recorder.intent(exampleEntry('late'))
    await recorder.close()
    expect(await recorder.intent(exampleEntry('r2'))).toMatchObject({ code: 'store_unavailable' })
    expect(recorder.outcome(exampleEnding(exampleEntry('late')))).toBeUndefined()
    await recorder.close()
    expect(look().map(({ request }) => request)).toEqual(['late', 'late'])
  })

  it('closes even if nothing can be written, and reports it', async () => {
    const faults: unknown[] = []
    const recorder = create({ onError: error => faults.push(error) })
    await recorder.intent(exampleEntry('r1'))
    const other = new DatabaseSync(file)
    other.exec('begin immediate')
    await recorder.close()
    other.close()
    expect(faults).toContainEqual(expect.objectContaining({ code: 'store_locked' }))
  })

  it('leaves no writer behind if it recorded nothing', async () => {
    const recorder = create()
    await recorder.start()
    await recorder.close()
    expect(await store.audit.writers()).toEqual([])
  })

  it('allows only reads while the database is locked, and recovers when it is free', async () => {
    const faults: unknown[] = []
    const recorder = create({ failOpenReads: () => true, onError: error => faults.push(error) })
    await recorder.intent(exampleEntry('before'))
    const other = new DatabaseSync(file)
    other.exec('begin immediate')
    expect(await recorder.intent(exampleEntry('locked'))).toMatchObject({ code: 'store_locked' })
    // The call was already executed, so its answer must not wait for the log.
    await recorder.outcome(exampleEnding(exampleEntry('before')))
    const read = exampleEntry('read', { known: READS })
    expect(recorder.intent(read)).toBeUndefined()
    expect(recorder.outcome(exampleEnding(read))).toBeUndefined()
    expect(faults).toHaveLength(1)
    other.exec('rollback')
    other.close()
    await recorder.intent(exampleEntry('after'))
    expect(look().map(({ request, kind }) => `${request} ${kind}`)).toEqual([
      'before intent',
      'before outcome',
      'read call',
      'after intent',
    ])
    await expectIntact()
  })

  it('refuses reads too if the config says so', async () => {
    const recorder = create({ failOpenReads: () => false })
    const other = new DatabaseSync(file)
    other.exec('begin immediate')
    expect(await recorder.intent(exampleEntry('locked'))).toMatchObject({ code: 'store_locked' })
    const read = exampleEntry('read', { known: READS })
    expect(await recorder.intent(read)).toMatchObject({ code: 'store_locked' })
    other.exec('rollback')
    other.close()
    await recorder.intent(read)
    expect(recorder.intent(read)).toBeUndefined()
  })

  it('does not block the event loop while another process holds the lock', async () => {
    const patient = openSqliteStore(file, { busyTimeoutMs: 5000 })
    const recorder = create({ store: patient.audit })
    const other = new DatabaseSync(file)
    other.exec('begin immediate')
    const waiting = recorder.intent(exampleEntry('r1'))
    let turns = 0
    for (const start = Date.now(); Date.now() - start < 100; turns++) await new Promise(setImmediate)
    expect(turns).toBeGreaterThan(10)
    other.exec('rollback')
    other.close()
    await waiting
    await recorder.close()
    await patient.close()
  })

  it('refuses calls on a full disk, and continues its chain when there is space again', async () => {
    const whole = openDatabase(file)
    const db = new Kysely<Tables>({ dialect: createDialect(whole, file) })
    const database = openForCommits(file)
    const audit = createAuditStore({ database, db, file, busyMs: 0 })
    const recorder = create({ store: audit })
    await recorder.intent(exampleEntry('before'))
    database.exec('vacuum; pragma max_page_count = 1')
    const long = (request: string) => exampleEntry(request, { arguments: Array(12).fill('x'.repeat(1000)) })
    expect(await recorder.intent(long('full'))).toMatchObject({ code: 'store_unavailable' })
    database.exec('pragma max_page_count = 100000')
    await recorder.intent(long('after'))
    expect(look().map(({ request }) => request)).toEqual(['before', 'after'])
    await expectIntact()
    await recorder.close()
    await audit.close()
    whole.close()
  })

  it('continues its chain after a commit that succeeded although it was reported as failed', async () => {
    const lie = { isTold: false }
    const recorder = create({ store: lying(lie) })
    await recorder.intent(exampleEntry('r1'))
    lie.isTold = true
    expect(await recorder.intent(exampleEntry('r2'))).toMatchObject({
      message: expect.stringContaining('connection lost'),
    })
    lie.isTold = false
    await recorder.intent(exampleEntry('r3'))
    await recorder.outcome(exampleEnding(exampleEntry('r2', { verdict: 'allow' }), { outcome: 'refused' }))
    await recorder.outcome(exampleEnding(exampleEntry('r3')))
    await recorder.outcome(exampleEnding(exampleEntry('r1')))
    expect((await store.audit.open()).map(({ request }) => request)).toEqual([])
    await expectIntact()
  })

  it('does not repeat rows whose commit succeeded although it was reported as failed', async () => {
    const lie = { isTold: false }
    const recorder = create({ store: lying(lie), onError: () => {} })
    await recorder.intent(exampleEntry('r1'))
    lie.isTold = true
    await recorder.outcome(exampleEnding(exampleEntry('r1')))
    lie.isTold = false
    await recorder.intent(exampleEntry('r2'))
    expect(look().map(({ request, kind }) => `${request} ${kind}`)).toEqual([
      'r1 intent',
      'r1 outcome',
      'r2 intent',
    ])
    await expectIntact()
  })
})

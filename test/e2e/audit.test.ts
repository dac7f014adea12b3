import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AuditRecorder } from '../../packages/gateway/src/audit/audit-recorder.ts'
import type { IntentEntry } from '../../packages/gateway/src/audit/entry.ts'
import { tamperWithRows } from '../../packages/gateway/src/store/audit-log/test-support/tamper-with-rows.ts'
import { openStore } from '../../packages/gateway/src/store/open/open-store.ts'
import { loadSecretKey } from '../../packages/gateway/src/tokens/secret-key.ts'
import { type Finished, hintgate } from '../support/hintgate.ts'

const BIN = fileURLToPath(new URL('../../packages/gateway/bin/hintgate.js', import.meta.url))
const KNOWN = {
  fingerprint: 'f'.repeat(64),
  variant: 'call_tool_write',
  hints: 'readOnly-default',
  title: 'Send',
  action: 'Sent email to {to}',
} as const

describe('hintgate audit', () => {
  let folder: string
  let home: string
  let file: string
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-e2e-audit-'))
    home = join(folder, 'home')
    file = join(home, 'data/hintgate.db')
    await record('r1', { at: Date.UTC(2026, 0, 1), arguments: { to: 'ada@example.com' } })
    await record('r2', {
      principal: 'agent:other',
      server: 'db',
      tool: 'drop',
      typed: 'db:drop',
      verdict: 'deny',
    })
    await record('r3', { known: { ...KNOWN, variant: 'call_tool_destructive' } })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  async function record(requestId: string, fields: Partial<IntentEntry>): Promise<void> {
    const store = await openStore(`sqlite:${file}`)
    const recorder = new AuditRecorder({ store: store.audit, secret: loadSecretKey(home) })
    const call: IntentEntry = {
      requestId,
      at: Date.now(),
      principal: 'agent:bot',
      session: 's',
      door: 'search',
      server: 'mail',
      tool: 'send',
      typed: 'mail:send',
      known: KNOWN,
      arguments: { to: 'bob@example.com' },
      verdict: 'allow',
      reasons: [],
      ...fields,
    }
    const isRefused = call.verdict === 'deny'
    if (!isRefused) await recorder.intent(call)
    await recorder.outcome({
      call,
      outcome: isRefused ? 'refused' : 'answered',
      code: isRefused ? 'policy_denied' : undefined,
      attempts: 1,
      durationMs: 5,
    })
    await recorder.close()
    await store.close()
  }

  const run = (...args: string[]): Promise<Finished> =>
    hintgate(['audit', ...args, '--home', home], { cwd: folder, env: { HOME: folder, HINTGATE_CONFIG: '' } })
  const requests = async (...args: string[]) => {
    const { stdout } = await run('query', ...args, '--json')
    return (JSON.parse(stdout) as { calls: { request: string }[] }).calls.map(({ request }) => request)
  }
  const tamper = (sql: string) => tamperWithRows(file, sql)

  it('query finds calls by caller, tool, time and outcome', async () => {
    expect(await requests()).toEqual(['r3', 'r2', 'r1'])
    expect(await requests('--agent', 'other')).toEqual(['r2'])
    expect(await requests('--agent', 'agent:bot', '--since', '1h')).toEqual(['r3'])
    expect(await requests('--until', '2026-01-02', '--outcome', 'answered')).toEqual(['r1'])
    expect(await requests('--tool', 'db:drop', '--verdict', 'deny')).toEqual(['r2'])
    expect(await requests('--outcome', 'policy_denied')).toEqual(['r2'])
    expect(await requests('--limit', '1', '--variant', 'destructive')).toEqual(['r3'])
  })

  it('query shows calls in words, marks severe ones, and shows one call in full', async () => {
    const { stdout } = await run('query')
    expect(stdout).toMatch(
      /2026-01-01T00:00:00Z {2}notice +agent:bot +Sent email to ada@example.com {2}allow → answered 5 ms/,
    )
    expect(stdout).toMatch(/warning +agent:bot +Sent email to bob/)
    expect(stdout).toContain('deny → refused (policy_denied)')
    expect((await run('query', '--request', 'r1')).stdout).toContain('"to": "ada@example.com"')
    expect((await run('query', '--request', 'nope')).code).toBe(1)
  })

  it('rejects an invalid time with exit code 2', async () => {
    const { code, stderr } = await run('query', '--since', 'yesterday')
    expect([code, stderr]).toEqual([2, expect.stringContaining('--since: expected a duration')])
    expect((await run('prune')).code).toBe(2)
    expect((await run('query', '--verdict', 'maybe')).code).toBe(2)
  })

  it('tail shows the last calls, oldest first', async () => {
    const { stdout } = await run('tail', '-n', '2', '--json')
    const lines = stdout.trim().split('\n')
    expect(lines.map(line => (JSON.parse(line) as { request: string }).request)).toEqual(['r2', 'r3'])
  })

  it('tail -f follows new calls until it is interrupted', async () => {
    const args = [BIN, 'audit', 'tail', '-f', '-n', '1', '--home', home, '--json']
    const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, HOME: folder } })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    const closed = once(child, 'close')
    const lines = () => output.trim().split('\n')
    await expect.poll(() => lines().length === 1 && output !== '').toBe(true)
    await record('r4', {})
    await expect.poll(() => lines().length).toBe(3)
    child.kill('SIGINT')
    expect(await closed).toEqual([0, null])
    const seen = lines().map(line => JSON.parse(line) as { request: string; outcome: string; args: object })
    expect(seen.map(({ request, outcome }) => [request, outcome])).toEqual([
      ['r3', 'answered'],
      ['r4', 'open'],
      ['r4', 'answered'],
    ])
    expect(seen[2]?.args).toEqual({ to: 'bob@example.com' })
  })

  it('export writes one line per call, for programs and for security tools', async () => {
    const plain = (await run('export')).stdout.trim().split('\n')
    expect(plain.map(line => (JSON.parse(line) as { request: string }).request)).toEqual(['r3', 'r2', 'r1'])
    const [event = ''] = (await run('export', '--format', 'ocsf', '--tool', 'drop')).stdout.split('\n')
    expect(JSON.parse(event)).toMatchObject({ class_uid: 6003, status_id: 2, api: { operation: 'drop' } })
  })

  it('verify finds an edited row and exits with 1', async () => {
    const intact = await run('verify')
    expect([intact.code, intact.stdout]).toEqual([0, expect.stringMatching(/^intact {2}5 rows in 3 chains/)])
    tamper(`update audit_rows set agent = 'agent:innocent' where request = 'r2'`)
    const edited = await run('verify')
    expect([edited.code, edited.stdout]).toEqual([1, expect.stringContaining('edited  chain 2 row 1')])
  })

  it('verify compares the log with heads stored elsewhere', async () => {
    const heads = join(folder, 'heads.json')
    writeFileSync(heads, (await run('verify', '--json')).stdout)
    expect((await run('verify', '--heads', heads)).code).toBe(0)
    tamper('delete from audit_rows where writer = 3; delete from audit_writers where id = 3')
    expect((await run('verify')).code).toBe(0)
    expect(await run('verify', '--heads', heads)).toMatchObject({ code: 1 })
    writeFileSync(heads, '{}')
    expect((await run('verify', '--heads', heads)).code).toBe(2)
  })

  it('prune deletes old rows, and the rest can be verified', async () => {
    expect((await run('prune', '--before', '2026-02-01')).stdout).toContain('Deleted 2 audit rows')
    expect(await requests()).toEqual(['r3', 'r2'])
    const { code, stdout } = await run('verify')
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 pruned rows behind seals')])
  })

  it('has an example in the help of every command', async () => {
    for (const command of ['tail', 'query', 'export', 'verify', 'prune'])
      expect((await run(command, '--help')).stdout).toContain(`$ hintgate audit ${command}`)
  })
})

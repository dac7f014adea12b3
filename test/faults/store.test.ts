import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../packages/gateway/src/store/sqlite/open-database.ts'
import { cleanUp } from '../support/clean-up.ts'
import { readiness, Site } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { address, type Running } from '../support/processes.ts'
import { type Json, type Message, ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'
import { refusal } from '../support/search-client.ts'
import { FlakyServer } from './flaky-server.ts'
import { reportFault } from './report-fault.ts'
import { serveAfter } from './wrapped-gateway.ts'

let web: FlakyServer

beforeAll(async () => {
  web = await new FlakyServer().open()
})
afterAll(cleanUp)

const databaseOf = (site: Site): string => join(site.home, 'data/hintgate.db')

/** A gateway whose store the test can break. */
class Victim {
  readonly site: Site
  running: Running | undefined
  #client: ModernClient | undefined
  #count = 0

  constructor(failOpenReads: boolean) {
    this.site = new Site({ audit: { failOpenReads }, mcpServers: { web: web.config() } })
  }

  /** `script`: shell commands to run first. */
  async start(script = 'true'): Promise<this> {
    const token = await this.site.token()
    this.running = serveAfter(script, this.site)
    const url = await address(this.running)
    this.#client = new ModernClient(`${url}/mcp/servers/web`, token)
    await this.running.stderr.until(line => readiness('web').test(line))
    return this
  }

  async call(tool: string, more: Json = {}): Promise<Message> {
    if (this.#client === undefined) throw new Error('it was not started')
    return this.#client.call(tool, { id: `${this.site.folder} ${tool} ${++this.#count}`, ...more })
  }

  /** How many writes reached the server. */
  get executed(): number {
    return web.callsOf('add').filter(({ args }) => String(args.id).startsWith(this.site.folder)).length
  }

  /** Writes until a call is refused; returns how many succeeded. */
  async writeUntilRefused(more: Json = {}): Promise<number> {
    for (let done = 0; done < 2000; done++) {
      const answer = await this.call('add', more)
      if (refusalOf(answer) === undefined) continue
      expect(refusal(answer)).toMatchObject({ code: 'overloaded', verdict: 'failed' })
      expect(refusal(answer).message).toContain('cannot be recorded')
      expect(refusal(answer).remedy).toContain('Nothing was executed')
      return done
    }
    throw new Error('it was never refused')
  }

  /** Nothing that writes is executed, and reads follow the config. */
  async expectClosed(failOpenReads: boolean): Promise<void> {
    const before = this.executed
    // Concurrently, because each may wait for the lock until its timeout.
    const answers = await Promise.all(['add', 'look', 'add', 'look'].map(tool => this.call(tool)))
    const read = failOpenReads ? undefined : 'overloaded'
    expect(answers.map(answer => refusalOf(answer))).toEqual(['overloaded', read, 'overloaded', read])
    expect(this.executed).toBe(before)
  }

  /**
   * For `npm run test:faults`. Reaching this line means that nothing was lost, because all checks before it passed.
   */
  report(fault: string, came: string): void {
    reportFault({ fault, tried: `${this.#count} calls, ${this.executed} writes executed; ${came}`, lost: [] })
  }

  /** It recovers without a restart. */
  async expectRecovered(): Promise<void> {
    await expect
      .poll(async () => refusalOf(await this.call('add')), { timeout: 15_000, interval: 100 })
      .toBeUndefined()
    expect(refusalOf(await this.call('look'))).toBeUndefined()
    const { code, stdout, stderr } = await hintgate(['audit', 'verify', ...this.site.flags])
    expect([code, stdout + stderr]).toEqual([0, expect.any(String)])
  }
}

const CHOICES = [
  ['refuses reads', false],
  ['lets reads through where the config says so', true],
] as const

const reads = (failOpenReads: boolean): string => (failOpenReads ? 'reads fail open' : 'reads stop')

describe('a store that another program has locked', () => {
  it.each(CHOICES)('stops everything that is not read-only, %s, and recovers', async (_, failOpenReads) => {
    const victim = await new Victim(failOpenReads).start()
    expect(textOf(await victim.call('add'))).toContain('add')
    const other = openDatabase(databaseOf(victim.site))
    other.exec('begin immediate')
    const before = victim.executed
    expect(await victim.writeUntilRefused()).toBe(0)
    expect(victim.executed).toBe(before)
    await victim.expectClosed(failOpenReads)
    other.exec('rollback')
    other.close()
    await victim.expectRecovered()
    victim.report(`SQLite locked, ${reads(failOpenReads)}`, 'recovered by itself')
    await victim.running?.stop()
  })
})

describe('a full disk', () => {
  // Simulated with a limit on the size of the gateway's files.
  const blocks = 2048

  it.each(CHOICES)('stops everything that is not read-only, %s, and recovers', async (_, failOpenReads) => {
    const victim = await new Victim(failOpenReads).start(`ulimit -S -f ${blocks}`)
    const before = victim.executed
    const done = await victim.writeUntilRefused({
      text: Array.from({ length: 20 }, () => 'long '.repeat(150)),
    })
    expect(done).toBeGreaterThan(0)
    expect(victim.executed).toBe(before + done)
    await victim.expectClosed(failOpenReads)
    expect(victim.running?.stderr.items.join('\n')).toMatch(/internal error|cannot be used/)
    if (!makeRoom(victim.running?.pid ?? 0)) return
    await victim.expectRecovered()
    victim.report(`disk full, ${reads(failOpenReads)}`, 'recovered by itself')
    await victim.running?.stop()
  })
})

/** False if the system cannot do this to a running process. */
function makeRoom(pid: number): boolean {
  try {
    execFileSync('sh', ['-c', `prlimit --pid ${pid} --fsize=unlimited`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('a store that is unusable at the start', () => {
  /** The output of `serve` when it cannot start. */
  async function refuse(site: Site, script = 'true'): Promise<string> {
    const running = serveAfter(script, site)
    const code = await running.exited
    expect(code).not.toBe(0)
    const said = running.stderr.items.join('\n')
    const [why = ''] = running.stderr.items
    reportFault({
      fault: expect.getState().currentTestName ?? '',
      tried: `exit code ${code}: ${why.replaceAll(site.folder, '…')}`,
      lost: [],
    })
    return said
  }

  async function usedSite(): Promise<Site> {
    const victim = await new Victim(false).start()
    await victim.call('add')
    await victim.running?.stop()
    // All in one file, because the log would contain the same pages.
    const database = openDatabase(databaseOf(victim.site))
    database.exec('pragma wal_checkpoint(truncate)')
    database.close()
    return victim.site
  }

  it('is refused when it is damaged, and is not changed', async () => {
    const site = await usedSite()
    const file = databaseOf(site)
    writeFileSync(file, Buffer.alloc(statSync(file).size, 'garbage'))
    const before = readFileSync(file)
    expect(await refuse(site)).toMatch(/is damaged or not a database/)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('is refused when it is truncated', async () => {
    const site = await usedSite()
    truncateSync(databaseOf(site), statSync(databaseOf(site)).size / 2)
    expect(await refuse(site)).toMatch(/is damaged|cannot be used/)
  })

  it('is refused when it stays locked', async () => {
    const site = await usedSite()
    const other = openDatabase(databaseOf(site))
    other.exec('begin immediate')
    try {
      expect(await refuse(site)).toMatch(/is locked by another program/)
    } finally {
      other.exec('rollback')
      other.close()
    }
  })

  it('is refused when the disk is full', async () => {
    const site = new Site({ mcpServers: { web: web.config() } })
    expect(await refuse(site, 'ulimit -f 8')).toMatch(/cannot be used/)
  })

  it('is refused when it is read-only', async () => {
    const site = await usedSite()
    const folder = join(site.home, 'data')
    // Root ignores permissions, so the test runs as another user.
    const isRoot = process.getuid?.() === 0
    if (isRoot) giveAway(site.folder)
    chmodSync(databaseOf(site), 0o400)
    chmodSync(folder, 0o500)
    const script = isRoot ? `set -- "${process.execPath}" -e '${AS_NOBODY}' "$@"` : 'true'
    expect(await refuse(site, script)).toMatch(/cannot be written/)
    chmodSync(folder, 0o700)
  })
})

const NOBODY = 65534
const AS_NOBODY = `process.setgroups([]);process.setgid(${NOBODY});process.setuid(${NOBODY});const [command,...args]=process.argv.slice(1);process.exit(require("node:child_process").spawnSync(command,args,{stdio:"inherit"}).status??1)`

function giveAway(path: string): void {
  chownSync(path, NOBODY, NOBODY)
  if (!statSync(path).isDirectory()) return
  for (const name of readdirSync(path)) giveAway(join(path, name))
}

/** SQLite does not read cached pages again unless another process wrote in the meantime. */
function damage(file: string): void {
  const other = openDatabase(file)
  other.exec('create table of_another (id integer)')
  for (const name of [file, `${file}-wal`]) {
    const descriptor = openSync(name, 'r+')
    writeSync(descriptor, Buffer.alloc(statSync(name).size, 0xff), 0, undefined, 0)
    closeSync(descriptor)
  }
  other.close()
}

describe('a store that is damaged while the gateway runs', () => {
  // Tokens cannot be looked up either, so no caller gets a reason.
  it('stops everything that is not read-only, and executes nothing unrecorded', async () => {
    const victim = await new Victim(true).start()
    await victim.call('add')
    damage(databaseOf(victim.site))
    const before = victim.executed
    for (let round = 0; round < 10; round++) {
      const answer = await victim.call('add')
      expect(answer.error ?? refusalOf(answer)).toBeDefined()
    }
    expect(victim.executed).toBe(before)
    expect((await hintgate(['audit', 'verify', ...victim.site.flags])).code).not.toBe(0)
    victim.report('SQLite damaged under a running gateway', 'nothing executed afterwards')
    await victim.running?.stop()
  })
})

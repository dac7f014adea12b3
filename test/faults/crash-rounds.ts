import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Gateway, readiness, Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { isAlive } from '../support/processes.ts'
import { DESTROYS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { openWitness, type Witness } from '../support/witness.ts'
import { AuditRows } from './audit-rows.ts'
import { FlakyServer } from './flaky-server.ts'
import { Load, type Target } from './load.ts'
import { serveAfter } from './wrapped-gateway.ts'

/** What was tried in all rounds together, and what was lost in them. */
interface Tally {
  rounds: number
  killedAtStart: number
  calls: number
  answered: number
  /** Calls that a server saw, other than reads. */
  executed: number
  approved: number
  rows: number
  closedAsUnknown: number
  /** In words; nothing, if all is well. */
  readonly lost: string[]
}

const TOOLS = { http: { read: 'look', write: 'add', destructive: 'destroy' } }
const SERVERS = ['web', 'child'] as const

/** One site with two servers: one that outlives every crash, and one that is a child of the gateway. */
export class CrashRounds {
  readonly tally: Tally = {
    rounds: 0,
    killedAtStart: 0,
    calls: 0,
    answered: 0,
    executed: 0,
    approved: 0,
    rows: 0,
    closedAsUnknown: 0,
    lost: [],
  }
  readonly #site: Site
  readonly #witness: Witness
  readonly #web: FlakyServer
  readonly #rows: AuditRows
  readonly #token: string
  /** Of the round before: what must be closed by the next start, and what must not be done twice. */
  #open: readonly string[] = []
  #last: Load | undefined

  private constructor(parts: { site: Site; witness: Witness; web: FlakyServer; token: string }) {
    this.#site = parts.site
    this.#witness = parts.witness
    this.#web = parts.web
    this.#token = parts.token
    this.#rows = new AuditRows(join(parts.site.home, 'data/hintgate.db'))
  }

  static async prepare(): Promise<CrashRounds> {
    const witness = await openWitness()
    const web = await new FlakyServer().open()
    const tools = [scripted('add', { annotations: WRITES }), scripted('destroy', { annotations: DESTROYS })]
    const child = new ScriptedServer('child', witness, [...tools, scripted('look')])
    const site = new Site({
      confirm: { destructive: 'always', trifecta: 'off' },
      mcpServers: { web: web.config(), child: child.config },
    })
    return new CrashRounds({ site, witness, web, token: await site.token() })
  }

  /** Kills a gateway under load and looks at what is left. */
  async round(number: number): Promise<void> {
    this.tally.rounds += 1
    const started = this.#witness.of('child', 'started').length
    if (number % 10 === 1) await this.#killAtStart()
    else await this.#killUnderLoad(number)
    await this.#findOrphans(started)
    this.#open = await this.#rows.read()
    this.#compare()
  }

  /** The last start, which has nobody to kill it. */
  async finish(): Promise<Tally> {
    const gateway = await startGatewayAt(this.#site)
    await this.#ready(gateway)
    await this.#checkStart(gateway)
    await gateway.stop()
    this.#open = await this.#rows.read()
    for (const id of this.#open) this.#lose(`${id} is still open after an orderly end`)
    this.#compare()
    await this.#verify()
    this.tally.rows = this.#rows.count
    return this.tally
  }

  async #killAtStart(): Promise<void> {
    this.tally.killedAtStart += 1
    const starting = serveAfter('true', this.#site)
    await sleep(Math.random() * 1000)
    await starting.stop('SIGKILL')
  }

  async #killUnderLoad(number: number): Promise<void> {
    const gateway = await startGatewayAt(this.#site)
    await this.#ready(gateway)
    await this.#checkStart(gateway)
    const load = new Load(this.#targets(gateway), this.#token, `r${number}`)
    this.#last = load
    const running = load.run()
    await sleep(50 + Math.random() * 800)
    await gateway.stop('SIGKILL')
    load.stop()
    await running
    this.tally.calls += load.made.length
    this.tally.answered += load.made.filter(({ isAnswered }) => isAnswered).length
  }

  async #ready(gateway: Gateway): Promise<void> {
    await Promise.all(SERVERS.map(name => gateway.says(readiness(name))))
  }

  #targets(gateway: Gateway): readonly Target[] {
    return SERVERS.map(server => ({ server, url: gateway.endpoint(server), tools: TOOLS.http }))
  }

  /** What the round before left behind. */
  async #checkStart(gateway: Gateway): Promise<void> {
    const left = this.#open
    await this.#last?.repeatApproved(this.#targets(gateway))
    await this.#rows.read()
    for (const id of left) {
      if (this.#rows.endings.get(id)?.includes('unknown') === true) this.tally.closedAsUnknown += 1
      else this.#lose(`${id} was open and was not closed as unknown`)
    }
    this.#open = []
    await this.#verify()
  }

  async #verify(): Promise<void> {
    const { code, stdout, stderr } = await hintgate(['audit', 'verify', ...this.#site.flags])
    if (code !== 0) this.#lose(`audit verify: ${stdout}${stderr}`)
  }

  async #findOrphans(started: number): Promise<void> {
    const pids = this.#witness
      .of('child', 'started')
      .slice(started)
      .map(({ pid }) => pid)
    for (let wait = 0; wait < 40 && pids.some(isAlive); wait++) await sleep(50)
    for (const pid of pids.filter(isAlive)) this.#lose(`the child ${pid} outlived its gateway`)
  }

  #compare(): void {
    const executed = this.#executed()
    this.tally.executed = executed.size
    this.tally.approved = [...executed.values()].filter(({ isApproved }) => isApproved).length
    for (const [id, { times, isApproved }] of executed) {
      if (times > 1) this.#lose(`${id} was executed ${times} times${isApproved ? ' on one approval' : ''}`)
      if (!this.#rows.intents.has(id)) this.#lose(`${id} was executed and has no intent`)
    }
    for (const { id, kind, isAnswered } of this.#last?.made ?? []) {
      if (kind === 'read' || !isAnswered) continue
      if (!executed.has(id)) this.#lose(`${id} was answered and never executed`)
      const endings = this.#rows.endings.get(id) ?? []
      if (!endings.includes('answered'))
        this.#lose(`${id} was answered and says ${endings.join() || 'nothing'}`)
    }
  }

  #executed(): Map<string, { times: number; isApproved: boolean }> {
    const found = new Map<string, { times: number; isApproved: boolean }>()
    const add = (name: unknown, args: unknown): void => {
      const { id } = args as { id?: string }
      if (name === TOOLS.http.read || id === undefined) return
      const times = (found.get(id)?.times ?? 0) + 1
      found.set(id, { times, isApproved: name === TOOLS.http.destructive })
    }
    for (const { name, args } of this.#web.seen) add(name, args)
    for (const { raw = '{}', method } of this.#witness.of('child')) {
      if (method !== 'tools/call') continue
      const { params } = JSON.parse(raw) as { params: { name: string; arguments?: unknown } }
      add(params.name, params.arguments ?? {})
    }
    return found
  }

  #lose(what: string): void {
    if (!this.tally.lost.includes(what)) this.tally.lost.push(what)
  }
}

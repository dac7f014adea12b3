import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Site } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { DESTROYS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { openWitness, type Witness } from '../support/witness.ts'
import { AuditRows } from './audit-rows.ts'
import { readExecuted } from './executed.ts'
import { FlakyServer } from './flaky-server.ts'
import { Load, type Target } from './load.ts'
import { CHILD, childrenOf, findOrphans, type Replica, SERVERS, startReplica } from './replica.ts'
import { serveAfter } from './wrapped-gateway.ts'

/** Totals of all rounds, and what was lost in them. */
interface Tally {
  rounds: number
  killedAtStart: number
  calls: number
  answered: number
  /** Calls that a server received, except reads. */
  executed: number
  approved: number
  rows: number
  closedAsUnknown: number
  /** In words; empty if nothing was lost. */
  readonly lost: string[]
}

/** One gateway with its own store, or several that share a database. */
export interface Setup {
  readonly replicas: number
  /** The address of the database; if undefined, the gateways use the site's SQLite. */
  readonly store?: string
}

const TOOLS = { read: 'look', write: 'add', destructive: 'destroy' }

/** One site with two servers: one that survives every kill, and one that is a child of its gateway. */
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
  readonly #setup: Setup
  readonly #site: Site
  readonly #witness: Witness
  readonly #web: FlakyServer
  readonly #rows: AuditRows
  readonly #token: string
  /** Running replicas, oldest first. */
  readonly #replicas: Replica[] = []
  /** From the previous round: calls that the next start must close and that must not be repeated. */
  #open: readonly string[] = []
  #last: Load | undefined

  private constructor(
    setup: Setup,
    parts: { site: Site; witness: Witness; web: FlakyServer; token: string },
  ) {
    this.#setup = setup
    this.#site = parts.site
    this.#witness = parts.witness
    this.#web = parts.web
    this.#token = parts.token
    this.#rows = new AuditRows(setup.store ?? `sqlite:${join(parts.site.home, 'data/hintgate.db')}`)
  }

  static async prepare(setup: Setup): Promise<CrashRounds> {
    const witness = await openWitness()
    const web = await new FlakyServer().open()
    const tools = [scripted('add', { annotations: WRITES }), scripted('destroy', { annotations: DESTROYS })]
    const child = new ScriptedServer(CHILD, witness, [...tools, scripted('look')])
    const site = new Site({
      confirm: { destructive: 'always', trifecta: 'off' },
      mcpServers: { web: web.config(), [CHILD]: child.config },
      ...(setup.store !== undefined && { store: setup.store }),
    })
    return new CrashRounds(setup, { site, witness, web, token: await site.token() })
  }

  /** Kills a gateway under load or during its start, and checks what is left. */
  async round(number: number): Promise<void> {
    this.tally.rounds += 1
    if (number % 10 === 1) await this.#killAtStart()
    else await this.#killUnderLoad(number)
    this.#open = await this.#rows.read()
    this.#compare()
  }

  /** The last start, which is not killed. */
  async finish(): Promise<Tally> {
    await this.#startMissing()
    for (const { gateway } of this.#replicas) await gateway.stop()
    this.#open = await this.#rows.read()
    for (const id of this.#open) this.#lose(`${id} is still open after an orderly shutdown`)
    this.#compare()
    await this.#verify()
    this.tally.rows = this.#rows.count
    return this.tally
  }

  async #killAtStart(): Promise<void> {
    this.tally.killedAtStart += 1
    const before = childrenOf(this.#witness).length
    const starting = serveAfter('true', this.#site)
    await sleep(Math.random() * 1000)
    await starting.stop('SIGKILL')
    await this.#expectGone(childrenOf(this.#witness).slice(before))
  }

  /** The oldest one, so that every replica has once continued alone before. */
  async #killUnderLoad(number: number): Promise<void> {
    await this.#startMissing()
    const load = new Load(this.#targets(), this.#token, `r${number}`)
    this.#last = load
    const running = load.run()
    await sleep(50 + Math.random() * 800)
    const victim = this.#replicas.shift()
    await victim?.gateway.stop('SIGKILL')
    if (this.#replicas.length > 0) await sleep(100 + Math.random() * 200)
    load.stop()
    await running
    this.tally.calls += load.made.length
    this.tally.answered += load.made.filter(({ isAnswered }) => isAnswered).length
    this.#checkSurvivors(load)
    await this.#expectGone(victim?.children ?? [])
  }

  async #startMissing(): Promise<void> {
    while (this.#replicas.length < this.#setup.replicas)
      this.#replicas.push(await startReplica(this.#site, this.#witness))
    await this.#checkStart()
  }

  #targets(): readonly Target[] {
    return this.#replicas.flatMap(({ gateway }) =>
      SERVERS.map(server => ({ gateway: gateway.url, server, tools: TOOLS })),
    )
  }

  /** Only callers of the killed gateway may be affected. */
  #checkSurvivors({ made }: Load): void {
    const survivors = new Set(this.#replicas.map(({ gateway }) => gateway.url))
    for (const { id, kind, target, isAnswered, requestState } of made) {
      if (!survivors.has(target.gateway)) continue
      const isServed = kind === 'destructive' ? requestState !== undefined : isAnswered
      if (!isServed) this.#lose(`${id} was not answered by a gateway that was not killed`)
    }
  }

  /** Checks what the previous round left. */
  async #checkStart(): Promise<void> {
    const left = this.#open
    await this.#last?.repeatApproved(this.#targets())
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

  async #expectGone(pids: readonly number[]): Promise<void> {
    for (const pid of await findOrphans(pids)) this.#lose(`the child process ${pid} outlived its gateway`)
  }

  #compare(): void {
    const all = readExecuted({ web: this.#web, witness: this.#witness, child: CHILD })
    const executed = new Map([...all].filter(([, { tool }]) => tool !== TOOLS.read))
    this.tally.executed = executed.size
    this.tally.approved = [...executed.values()].filter(({ tool }) => tool === TOOLS.destructive).length
    for (const [id, { times, tool }] of executed) {
      const how = tool === TOOLS.destructive ? ' with one approval' : ''
      if (times > 1) this.#lose(`${id} was executed ${times} times${how}`)
      if (!this.#rows.intents.has(id)) this.#lose(`${id} was executed without an intent in the audit log`)
    }
    for (const { id, kind, isAnswered } of this.#last?.made ?? []) {
      if (kind === 'read' || !isAnswered) continue
      if (!executed.has(id)) this.#lose(`${id} was answered but never executed`)
      const endings = this.#rows.endings.get(id) ?? []
      if (!endings.includes('answered'))
        this.#lose(`${id} was answered, but its outcome is ${endings.join() || 'missing'}`)
    }
  }

  #lose(what: string): void {
    if (!this.tally.lost.includes(what)) this.tally.lost.push(what)
  }
}

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApprovals } from '../../packages/gateway/src/approvals/approvals.ts'
import { openStore } from '../../packages/gateway/src/store/open/open-store.ts'
import type { Store } from '../../packages/gateway/src/store/store.ts'
import { later } from '../support/clean-up.ts'
import { type Gateway, readiness, Site, startGatewayAt } from '../support/gateway.ts'
import { type Json, ModernClient } from '../support/raw-mcp.ts'
import { approvalOf, endOfTask, KNOWS_TASKS, taskOf } from '../support/tasks.ts'
import type { Setup } from './crash-rounds.ts'
import { FlakyServer } from './flaky-server.ts'

/** Calls for each round: half of them are approved around the kill, the others wait for a person during it. */
const CALLS = 4

interface TaskTally {
  rounds: number
  tasks: number
  completed: number
  executed: number
  outcomeUnknown: number
  stoppedBeforeSent: number
  /** In words; empty if nothing was lost. */
  readonly lost: string[]
}

interface Asked {
  readonly id: string
  readonly taskId: string
  readonly approval: string
}

/** Gateways that are killed while their tasks wait for a person, are claimed, or are at the server. */
export class TaskRounds {
  readonly tally: TaskTally = {
    rounds: 0,
    tasks: 0,
    completed: 0,
    executed: 0,
    outcomeUnknown: 0,
    stoppedBeforeSent: 0,
    lost: [],
  }
  readonly #setup: Setup
  readonly #site: Site
  readonly #web: FlakyServer
  readonly #store: Store
  readonly #token: string
  readonly #gateways: Gateway[] = []

  private constructor(setup: Setup, parts: { site: Site; web: FlakyServer; store: Store; token: string }) {
    this.#setup = setup
    this.#site = parts.site
    this.#web = parts.web
    this.#store = parts.store
    this.#token = parts.token
  }

  static async prepare(setup: Setup): Promise<TaskRounds> {
    const web = await new FlakyServer().open()
    const site = new Site({
      confirm: { destructive: 'always', trifecta: 'off' },
      mcpServers: { web: web.config() },
      ...(setup.store !== undefined && { store: setup.store }),
    })
    const token = await site.token()
    const store = await openStore(setup.store ?? `sqlite:${join(site.home, 'data/hintgate.db')}`)
    later(() => store.close())
    return new TaskRounds(setup, { site, web, store, token })
  }

  async round(number: number): Promise<void> {
    this.tally.rounds += 1
    await this.#startMissing()
    // In some rounds, the first call is at the server when the gateway is killed.
    if (number % 3 === 0) this.#web.fates = ['hang']
    const tasks = await this.#ask(number)
    const [early, waiting] = [tasks.slice(0, CALLS / 2), tasks.slice(CALLS / 2)]
    await Promise.all([this.#approve(early, 60), this.#kill()])
    this.#web.fates = []
    await this.#startMissing()
    await this.#approve(waiting, 0)
    for (const task of early) await this.#check(task, true)
    for (const task of waiting) await this.#check(task, false)
  }

  async finish(): Promise<TaskTally> {
    for (const gateway of this.#gateways) await gateway.stop()
    const left = await this.#store.tasks.listHeld()
    for (const { id, state } of left) this.#lose(`${id} is still ${state} after an orderly shutdown`)
    this.tally.executed = this.#web.callsOf('destroy').length
    return this.tally
  }

  async #startMissing(): Promise<void> {
    while (this.#gateways.length < this.#setup.replicas) {
      const gateway = await startGatewayAt(this.#site)
      await gateway.says(readiness('web'))
      this.#gateways.push(gateway)
    }
  }

  /** Asks the gateway that is about to be killed. */
  async #ask(number: number): Promise<Asked[]> {
    const client = this.#clientOf(this.#gateways[0])
    const ids = Array.from({ length: CALLS }, (_, at) => `r${number}-${at}`)
    return Promise.all(
      ids.map(async id => {
        const task = taskOf(await client.call('web__destroy', { id }))
        return { id, taskId: task.taskId, approval: approvalOf(task) }
      }),
    )
  }

  #clientOf(gateway: Gateway | undefined): ModernClient {
    return new ModernClient(gateway?.endpoint() ?? '', this.#token, KNOWS_TASKS)
  }

  /** Approves at another process, like a second gateway would. */
  async #approve(tasks: readonly Asked[], withinMs: number): Promise<void> {
    const approvals = createApprovals(this.#store)
    await Promise.all(
      tasks.map(async ({ approval }) => {
        await sleep(Math.random() * withinMs)
        await approvals.decide(approval, { verdict: 'approved', by: 'person:ada', via: 'cli' })
      }),
    )
  }

  async #kill(): Promise<void> {
    // A change reaches other processes within a second, so some kills come before it, and others after it.
    await sleep(Math.random() * 1200)
    await this.#gateways.shift()?.stop('SIGKILL')
  }

  async #check({ id, taskId }: Asked, mayBeUnknown: boolean): Promise<void> {
    this.tally.tasks += 1
    const task = await endOfTask(this.#clientOf(this.#gateways[0]), taskId)
    const times = this.#web.callsOf('destroy').filter(({ args }) => args.id === id).length
    const { reason } = ((task.error as Json | undefined)?.data ?? {}) as { reason?: string }
    if (times > 1) this.#lose(`${id} was executed ${times} times`)
    if (task.status === 'completed') {
      this.tally.completed += 1
      if (times !== 1) this.#lose(`${id} is completed, but was executed ${times} times`)
    } else if (mayBeUnknown && reason === 'outcome_unknown') this.tally.outcomeUnknown += 1
    else if (mayBeUnknown && reason === 'not_sent') {
      this.tally.stoppedBeforeSent += 1
      if (times !== 0) this.#lose(`${id} is said not to have been sent, but was executed`)
    } else this.#lose(`${id} ended as ${JSON.stringify(task)}`)
  }

  #lose(what: string): void {
    this.tally.lost.push(what)
  }
}

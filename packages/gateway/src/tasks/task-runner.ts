import { HEARTBEAT_MS, isGone } from '../base/process-mark.ts'
import { isJsonObject } from '../protocol/messages.ts'
import type { Principal } from '../scope/scope.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import type { StoredTask } from '../store/task-store.ts'
import { STOPPED_EARLY, UNKNOWN_OUTCOME } from './end-task.ts'
import { HeldTasks, type OpenedTask } from './held-tasks.ts'
import { makeCall } from './make-call.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { TaskDeps } from './task-deps.ts'
import type { TaskExchange } from './task-exchange.ts'
import type { TaskCall } from './task-vault.ts'

/** How often to look for processes that have died, in milliseconds. */
const LOOK_MS = 1000
const LONGEST_REST_MS = 60_000

/**
 * Makes the calls of tasks once a person has decided. All state is in the store: of several gateways, one claims the
 * task, and after a crash another one continues. A call is marked as sent before it is sent, and is never sent again.
 */
export class TaskRunner {
  readonly #deps: TaskDeps
  readonly #held: HeldTasks
  /** The calls that this process makes. A call has no exchange yet while its task is being claimed. */
  readonly #running = new Map<string, TaskExchange | undefined>()
  readonly #work = new Set<Promise<void>>()
  /** Tasks that became due again while this process was busy with them. */
  readonly #again = new Set<string>()
  readonly #search: () => void
  #stopListening: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #heart: NodeJS.Timeout | undefined
  #cleanedAt = 0

  constructor(deps: TaskDeps) {
    this.#deps = deps
    this.#held = new HeldTasks(deps)
    this.#search = oneAtATime(() => this.#lookOnce(), deps.onError)
  }

  /** Starts to look for tasks. Until then, and after `close`, this process makes no calls for tasks. */
  start(): void {
    if (this.#stopListening !== undefined) return
    this.#stopListening = this.#deps.onChange(() => this.look())
    this.#heart = setInterval(() => this.#beat(), HEARTBEAT_MS).unref()
    this.look()
  }

  /** Stops looking for tasks, waits for the calls that run, and cancels those that take longer than `ms`. */
  async close(ms: number): Promise<void> {
    this.#stopListening?.()
    this.#stopListening = undefined
    clearTimeout(this.#timer)
    clearInterval(this.#heart)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, ms)
    })
    await Promise.race([this.#settled(), late])
    clearTimeout(timer)
    for (const exchange of this.#running.values()) exchange?.stop()
    await this.#settled()
  }

  /** Looks for tasks that this process has to work on. */
  look(): void {
    if (this.#stopListening !== undefined) this.#search()
  }

  /** Makes the call of a waiting task, if it is due. `caller` is the caller, if it is there to prove its access. */
  run(id: string, caller?: Principal): void {
    if (this.#stopListening === undefined) return
    if (this.#running.has(id)) return void this.#again.add(id)
    this.#track(id, this.#run(id, caller))
  }

  #track(id: string, work: Promise<void>): void {
    if (!this.#running.has(id)) this.#running.set(id, undefined)
    const done = work.catch(this.#deps.onError).finally(() => {
      this.#running.delete(id)
      this.#work.delete(done)
      if (this.#again.delete(id)) this.look()
    })
    this.#work.add(done)
  }

  async #settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work)
  }

  async #lookOnce(): Promise<void> {
    if (this.#stopListening === undefined) return
    const { store, vault } = this.#deps
    const now = Date.now()
    for (const id of await store.listDue(now)) this.run(id)
    const held = await store.listHeld()
    // Any gateway can have received the client's answers, or its wish to cancel.
    for (const task of held)
      if (this.#isOwn(task)) this.#running.get(task.id)?.hear(vault.talkOf(task))
      else if (this.#isLost(task, now)) this.#track(task.id, this.#takeOver(task))
    await this.#cancelExpired(held, now)
    await this.#clean(now)
    const isAnyForeign = held.some(task => !this.#isOwn(task))
    const next = (await store.nextExpiry()) ?? now + LONGEST_REST_MS
    this.#lookIn(Math.min(Math.max(next - now, 1), isAnyForeign ? LOOK_MS : LONGEST_REST_MS))
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#stopListening !== undefined) this.#timer = setTimeout(() => this.look(), ms).unref()
  }

  #beat(): void {
    for (const id of this.#running.keys()) this.#held.renew(id)
    this.look()
  }

  async #clean(now: number): Promise<void> {
    if (now - this.#cleanedAt < LONGEST_REST_MS) return
    this.#cleanedAt = now
    await this.#deps.store.removeExpired(now)
  }

  /** Cancels calls whose tasks have expired in the meantime. */
  async #cancelExpired(held: readonly StoredTask[], now: number): Promise<void> {
    const known = new Set(held.map(({ id }) => id))
    for (const [id, exchange] of this.#running) {
      if (exchange?.wasSent !== true || known.has(id)) continue
      if ((await this.#deps.store.find(id, now)) === undefined) exchange.cancel()
    }
  }

  #isOwn({ id, holder }: StoredTask): boolean {
    return holder === this.#held.holder && this.#running.has(id)
  }

  /** True if the process that holds the task has died, or this process has lost track of it. */
  #isLost({ holder, seenAt = 0 }: StoredTask, now: number): boolean {
    if (holder === this.#held.holder) return true
    const mark: unknown = holder === undefined ? undefined : JSON.parse(holder)
    return !isMark(mark) || isGone({ ...mark, seenAt }, this.#deps.mark, now)
  }

  /** Ends a call that might have been sent, and continues one that was not. */
  async #takeOver({ id, state, holder }: StoredTask): Promise<void> {
    const condition = { states: [state], holder }
    if (state === 'sent') return this.#held.end(id, UNKNOWN_OUTCOME, condition)
    if (!(await this.#held.claim(id, condition))) return
    const claimed = await this.#held.open(id)
    if (claimed === undefined) return
    const approval = await this.#approvalOf(claimed)
    // If another call has used the approval, this one cannot be made.
    const isTaken = approval?.state === 'spent' && approval.spentBy !== id
    if (isTaken) return this.#held.end(id, STOPPED_EARLY)
    await this.#make(claimed, approval, await this.#principalNow(claimed.call))
  }

  async #run(id: string, caller: Principal | undefined): Promise<void> {
    const waiting = await this.#held.open(id)
    if (waiting?.task.state !== 'waiting') return
    const approval = await this.#approvalOf(waiting)
    const isOpen = approval !== undefined && approval.expiresAt > Date.now()
    if (isOpen && approval.state === 'pending') return
    const principal = caller ?? (await this.#principalNow(waiting.call))
    // The caller can still prove its access by asking for the task.
    const isLater = principal === undefined && this.#deps.isForeign(waiting.call.principal)
    if (isLater && isOpen && approval.state === 'approved') return
    const { version } = waiting.task
    if (await this.#held.claim(id, { states: ['waiting'], version }))
      await this.#make(waiting, approval, principal)
  }

  #make(claimed: OpenedTask, approval: StoredApproval | undefined, principal: Principal | undefined) {
    const onBegun = (exchange: TaskExchange): void => void this.#running.set(claimed.id, exchange)
    return makeCall(claimed, { approval, principal, held: this.#held, deps: this.#deps, onBegun })
  }

  /** The approval that the call uses now: after a question from the server, that is the one that covers the answer. */
  #approvalOf({ task, talk }: OpenedTask): Promise<StoredApproval | undefined> {
    const { approvals, sealer } = this.#deps.corridor()
    const id = talk.round === 0 ? task.approval : sealer.open(talk.state ?? '')?.approval
    return id === undefined ? Promise.resolve(undefined) : approvals.find(id)
  }

  /** The principal with its current scope. Undefined if its credential is no longer valid. */
  async #principalNow({ principal }: TaskCall): Promise<Principal | undefined> {
    const scope = await this.#deps.corridor().scopeNow(principal)
    return scope && { ...principal, scope }
  }
}

function isMark(value: unknown): value is TaskDeps['mark'] {
  return isJsonObject(value) && typeof value.pid === 'number' && typeof value.place === 'string'
}

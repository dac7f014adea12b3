import { LIMITS } from '../admission/limits.ts'
import { HEARTBEAT_MS, isGone } from '../base/process-mark.ts'
import { createName } from '../base/create-name.ts'
import { handleCall } from '../call/handle-call.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { isTask } from '../protocol/tasks.ts'
import type { Principal } from '../scope/scope.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import type { StoredTask, TaskChange } from '../store/task-store.ts'
import { changeTalk } from './change-talk.ts'
import {
  DENIED_BEFORE,
  type EndOfTask,
  endOf,
  INTERNAL_FAULT,
  LOST_ACCESS,
  STOPPED_EARLY,
  UNKNOWN_OUTCOME,
} from './end-task.ts'
import { readRemote } from './remote-task.ts'
import type { TaskDeps } from './task-deps.ts'
import { callerOfTask, TaskExchange } from './task-exchange.ts'
import { NO_TALK, type Talk, type TaskCall } from './task-vault.ts'

const RUNNING = ['claimed', 'sent'] as const
/** How often to look for processes that have died, in milliseconds. */
const LOOK_MS = 1000
const LONGEST_REST_MS = 60_000

/** A claimed task, opened. */
interface Claimed {
  readonly id: string
  readonly task: StoredTask
  readonly call: TaskCall
  readonly talk: Talk
}

/**
 * Makes the calls of tasks once a person has decided. All state is in the store: of several gateways, one claims the
 * task, and after a crash another one continues. A call is marked as sent before it is sent, and is never sent again.
 */
export class TaskRunner {
  readonly #deps: TaskDeps
  readonly #holder: string
  /** The calls that this process makes. A call has no exchange yet while its task is being claimed. */
  readonly #running = new Map<string, TaskExchange | undefined>()
  readonly #work = new Set<Promise<void>>()
  /** Tasks that became due again while this process was busy with them. */
  readonly #again = new Set<string>()
  #stopListening: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #heart: NodeJS.Timeout | undefined
  #isLooking = false
  #isDue = false
  #cleanedAt = 0

  constructor(deps: TaskDeps) {
    this.#deps = deps
    this.#holder = JSON.stringify({ ...deps.mark, run: createName(6) })
  }

  /** Starts to look for tasks. Until then, and after `close`, this process makes no call of a task. */
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
    for (const exchange of this.#running.values()) exchange?.cancel()
    await this.#settled()
  }

  /** Looks for tasks to do, one search at a time; any number of changes during a search cause one more. */
  look(): void {
    this.#isDue = true
    if (this.#isLooking || this.#stopListening === undefined) return
    this.#isLooking = true
    void this.#lookWhileDue()
  }

  /** Makes the call of a waiting task, if it is due. `now` is the caller, if it is there to vouch for itself. */
  run(id: string, now?: Principal): void {
    if (this.#stopListening === undefined) return
    if (this.#running.has(id)) return void this.#again.add(id)
    this.#running.set(id, undefined)
    this.#track(this.#run(id, now), id)
  }

  #track(work: Promise<void>, id: string): void {
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

  async #lookWhileDue(): Promise<void> {
    while (this.#isDue && this.#stopListening !== undefined) {
      this.#isDue = false
      await this.#lookOnce().catch(this.#deps.onError)
    }
    this.#isLooking = false
  }

  async #lookOnce(): Promise<void> {
    const { store } = this.#deps
    const now = Date.now()
    for (const id of await store.listDue(now)) this.run(id)
    const held = await store.listHeld()
    for (const task of held)
      if (task.holder === this.#holder && this.#running.has(task.id)) this.#hear(task)
      else if (this.#isLost(task, now)) this.#takeOver(task)
    await this.#dropDeleted(held, now)
    if (now - this.#cleanedAt > LONGEST_REST_MS) {
      this.#cleanedAt = now
      await store.removeExpired(now)
    }
    const hasOthers = held.some(({ holder }) => holder !== this.#holder)
    const next = (await store.nextExpiry()) ?? now + LONGEST_REST_MS
    this.#lookIn(Math.min(Math.max(next - now, 1), hasOthers ? LOOK_MS : LONGEST_REST_MS))
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#stopListening !== undefined) this.#timer = setTimeout(() => this.look(), ms).unref()
  }

  #beat(): void {
    const now = Date.now()
    for (const id of this.#running.keys())
      this.#deps.store.renew(id, this.#holder, now).catch(this.#deps.onError)
    this.look()
  }

  /** Passes the client's answers and its wish to cancel, which any gateway can have received, to the call. */
  #hear(task: StoredTask): void {
    this.#running.get(task.id)?.hear(this.#deps.vault.talkOf(task))
  }

  /** Cancels calls whose tasks have expired meanwhile. */
  async #dropDeleted(held: readonly StoredTask[], now: number): Promise<void> {
    const known = new Set(held.map(({ id }) => id))
    for (const [id, exchange] of this.#running)
      if (exchange?.wasSent === true && !known.has(id) && (await this.#deps.store.find(id, now)) === undefined)
        exchange.cancel()
  }

  /** True if the process that holds the task has died, or this process has lost track of it. */
  #isLost({ holder, seenAt = 0 }: StoredTask, now: number): boolean {
    if (holder === this.#holder) return true
    const mark: unknown = holder === undefined ? undefined : JSON.parse(holder)
    return !isMark(mark) || isGone({ ...mark, seenAt }, this.#deps.mark, now)
  }

  #takeOver(task: StoredTask): void {
    const { id, state, holder } = task
    const condition = { states: [state], holder }
    if (state === 'sent') return this.#track(this.#end(id, UNKNOWN_OUTCOME, condition), id)
    this.#running.set(id, undefined)
    this.#track(this.#continueClaimed(task), id)
  }

  /** Continues a call that another process had claimed and not sent. Its approval might have been used already. */
  async #continueClaimed({ id, holder }: StoredTask): Promise<void> {
    const taken = { states: ['claimed'], holder } as const
    if (!(await this.#deps.store.change(id, taken, this.#claim()))) return
    const claimed = await this.#open(id)
    if (claimed === undefined) return
    const approval = await this.#approvalOf(claimed)
    if (approval?.state === 'spent') return this.#end(id, STOPPED_EARLY)
    await this.#make(claimed, approval, await this.#principalNow(claimed.call))
  }

  async #run(id: string, caller: Principal | undefined): Promise<void> {
    const waiting = await this.#open(id)
    if (waiting?.task.state !== 'waiting') return
    const approval = await this.#approvalOf(waiting)
    const now = Date.now()
    if (approval?.state === 'pending' && approval.expiresAt > now) return
    const principal = caller ?? (await this.#principalNow(waiting.call))
    // The caller can still prove its access by asking for the task.
    const isLater = principal === undefined && this.#deps.isForeign(waiting.call.principal)
    if (isLater && approval?.state === 'approved' && approval.expiresAt > now) return
    const { version } = waiting.task
    if (!(await this.#deps.store.change(id, { states: ['waiting'], version }, this.#claim()))) return
    await this.#make(waiting, approval, principal)
  }

  #claim(): TaskChange {
    const now = Date.now()
    return { state: 'claimed', holder: this.#holder, seenAt: now, updatedAt: now, note: undefined }
  }

  async #open(id: string): Promise<Claimed | undefined> {
    const { store, vault } = this.#deps
    const task = await store.find(id, Date.now())
    return task && { id, task, call: vault.callOf(task), talk: vault.talkOf(task) }
  }

  /** The approval that the call uses now: after a question of the server, that is the one that covers the answer. */
  #approvalOf({ task, talk }: Claimed): Promise<StoredApproval | undefined> {
    const { approvals, sealer } = this.#deps.corridor()
    const id = talk.round === 0 ? task.approval : sealer.open(talk.state ?? '')?.approval
    return id === undefined ? Promise.resolve(undefined) : approvals.find(id)
  }

  /** The principal with its current scope. Undefined if its credential is no longer valid. */
  async #principalNow({ principal }: TaskCall): Promise<Principal | undefined> {
    const scope = await this.#deps.corridor().scopeNow(principal)
    return scope && { ...principal, scope }
  }

  /** Makes the call, with all its checks, and keeps what came of it. */
  async #make(
    claimed: Claimed,
    approval: StoredApproval | undefined,
    principal: Principal | undefined,
  ): Promise<void> {
    const { id, call } = claimed
    if (principal === undefined) return this.#end(id, LOST_ACCESS)
    const params = this.#paramsOf(claimed)
    const exchange = new TaskExchange(callerOfTask(call, principal), params, requests =>
      this.#publish(id, requests),
    )
    this.#running.set(id, exchange)
    const { server, tool, typed, claim } = call
    const maySend = (): Promise<boolean> => this.#maySend(claimed, exchange, approval)
    const incoming: IncomingCall = { exchange, server, tool, typed, params, claim, task: { maySend } }
    try {
      const outcome = await handleCall(incoming, this.#deps.corridor())
      await this.#settle(claimed, outcome, exchange)
    } catch (error) {
      this.#deps.onError(error)
      await this.#end(id, exchange.wasSent ? UNKNOWN_OUTCOME : INTERNAL_FAULT)
    }
  }

  /** Adds the state with which a call resumes, and the client's answers if the server asked. */
  #paramsOf({ call, task, talk }: Claimed): Json {
    const { requestState: _state, inputResponses: _responses, ...params } = call.params
    const tool = `${call.server}:${call.tool}`
    if (talk.round > 0)
      return {
        ...params,
        inputResponses: talk.responses,
        ...(talk.state === undefined ? {} : { requestState: talk.state }),
      }
    const approval = task.approval ?? ''
    const { sealer } = this.#deps.corridor()
    return { ...params, requestState: sealer.seal({ approval, caller: call.principal.id, tool }) }
  }

  /**
   * Marks the call as sent. Even if the rules no longer require an approval, a call that a person denied is not sent,
   * and its approval is used up.
   */
  async #maySend(
    { id, talk }: Claimed,
    exchange: TaskExchange,
    approval: StoredApproval | undefined,
  ): Promise<boolean> {
    const now = Date.now()
    const isApproved = approval?.state === 'approved' && approval.expiresAt > now
    // A call that needed no approval when the server asked needs none to continue.
    if (!isApproved && (approval !== undefined || talk.round === 0)) return false
    if (approval !== undefined) await this.#deps.corridor().approvals.spend(approval.id, approval.binding)
    const condition = { states: ['claimed'], holder: this.#holder } as const
    const isMarked = await this.#deps.store.change(id, condition, { state: 'sent', updatedAt: now })
    exchange.wasSent = isMarked
    return isMarked
  }

  #settle(claimed: Claimed, outcome: Outcome, exchange: TaskExchange): Promise<void> {
    const { id } = claimed
    if (outcome.kind === 'answered' && isInputRequired(outcome.result)) return this.#ask(claimed, outcome.result)
    if (outcome.kind === 'answered' && isTask(outcome.result))
      return this.#keepRemote(claimed, outcome.result, exchange)
    const isStopped = outcome.kind === 'cancelled' && !exchange.wasSent
    return this.#end(id, isStopped ? DENIED_BEFORE : endOf(outcome, exchange.wasSent))
  }

  /** Keeps the questions with which the server answered. The call continues when the client has answered them all. */
  async #ask({ id, talk: { round } }: Claimed, { inputRequests, requestState }: Json): Promise<void> {
    const asked = Object.entries(isJsonObject(inputRequests) ? inputRequests : {})
    // A server can use a name again in the next round, but a client must not see it twice.
    const named = asked.map(([key, request]) => [nameIn(round + 1, key), request])
    const talk: Talk = {
      ...NO_TALK,
      requests: Object.fromEntries(named) as Json,
      round: round + 1,
      ...(typeof requestState === 'string' ? { state: requestState } : {}),
    }
    const state = named.length === 0 ? 'waiting' : 'asking'
    const questions = this.#deps.vault.seal(talk)
    await this.#save(id, { state, questions, holder: undefined })
  }

  async #keepRemote({ id, call }: Claimed, result: Json, { requestId }: TaskExchange): Promise<void> {
    const remote = readRemote(result, requestId)
    if (remote === undefined) return this.#end(id, UNKNOWN_OUTCOME)
    const { ref, expiresAt, note } = remote
    const sealed = this.#deps.vault.seal({ ...call, remote: ref })
    await this.#save(id, { state: 'remote', call: sealed, expiresAt, note, holder: undefined })
  }

  #publish(id: string, requests: Json): void {
    const merge = (before: Talk): Talk => {
      const open = Object.entries(requests).filter(([key]) => before.responses[key] === undefined)
      return { ...before, requests: Object.fromEntries(open) as Json }
    }
    const rewrite = { states: ['sent'], holder: this.#holder, talk: merge } as const
    changeTalk(id, rewrite, this.#deps).catch(this.#deps.onError)
  }

  async #end(
    id: string,
    { state, ending, note }: EndOfTask,
    condition: Parameters<TaskDeps['store']['change']>[1] = { states: RUNNING, holder: this.#holder },
  ): Promise<void> {
    const { store, vault } = this.#deps
    const now = Date.now()
    const before = await persist(() => store.find(id, now))
    const expiresAt = Math.max(before?.expiresAt ?? 0, now + LIMITS.tasks.keptMs)
    const over = { ending: vault.seal(ending), note, questions: undefined, holder: undefined }
    await this.#save(id, { state, ...over, expiresAt }, condition)
  }

  async #save(
    id: string,
    change: TaskChange,
    condition: Parameters<TaskDeps['store']['change']>[1] = { states: RUNNING, holder: this.#holder },
  ): Promise<void> {
    await persist(() => this.#deps.store.change(id, condition, { ...change, updatedAt: Date.now() }))
    const task = await this.#deps.store.find(id, Date.now())
    if (task !== undefined) await this.#deps.store.trim(task.principal, LIMITS.tasks.perCaller)
  }
}

/** Names a question so that no other question of the task has the same name. */
function nameIn(round: number, key: string): string {
  return round === 1 ? key : `${key}#${round}`
}

/** Returns the name that the server gave to a question. */
export function nameAtServer(name: string, { round }: Talk): string {
  const suffix = `#${round}`
  return round > 1 && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
}

function isMark(value: unknown): value is TaskDeps['mark'] {
  return isJsonObject(value) && typeof value.pid === 'number' && typeof value.place === 'string'
}

/** The pauses before further attempts to save, together about two minutes. */
const PAUSES_MS = [100, 500, 2000, 5000, 10_000, 20_000, 30_000, 60_000]

/** Saves what came of a call, even if the store is away for a while. The call itself cannot be repeated. */
async function persist<T>(save: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS)
    try {
      return await save()
    } catch {
      await new Promise(resolve => setTimeout(resolve, pause).unref())
    }
  return save()
}

import { createName } from '../base/create-name.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { type StoredTask, TASK_LIMITS, type TaskChange, type TaskCondition } from '../store/task-store.ts'
import { changeTalk } from './change-talk.ts'
import { type EndOfTask, UNKNOWN_OUTCOME } from './end-task.ts'
import { nameForClient } from './question-names.ts'
import { readRemote } from './remote-task.ts'
import type { TaskDeps } from './task-deps.ts'
import { NO_TALK, type Talk, type TaskCall } from './task-vault.ts'

/** A task from the store, with its sealed parts opened. */
export interface OpenedTask {
  readonly id: string
  readonly task: StoredTask
  readonly call: TaskCall
  readonly talk: Talk
}

/**
 * The tasks whose calls this process makes. A change succeeds only while this process holds the task, so a process that
 * was taken for dead can neither send the call nor replace what another one has stored.
 */
export class HeldTasks {
  readonly holder: string
  readonly #deps: TaskDeps

  constructor(deps: TaskDeps) {
    this.#deps = deps
    this.holder = JSON.stringify({ ...deps.mark, run: createName(6) })
  }

  async open(id: string): Promise<OpenedTask | undefined> {
    const { store, vault } = this.#deps
    const task = await store.find(id, Date.now())
    return task && { id, task, call: vault.callOf(task), talk: vault.talkOf(task) }
  }

  /** Claims a task. If several processes try, only one succeeds. */
  claim(id: string, condition: TaskCondition): Promise<boolean> {
    const now = Date.now()
    const claimed = { state: 'claimed', holder: this.holder, seenAt: now, updatedAt: now } as const
    return this.#deps.store.change(id, condition, { ...claimed, note: undefined })
  }

  /** Records that the call might be executed from now on. */
  markSent(id: string): Promise<boolean> {
    const condition = { states: ['claimed'], holder: this.holder } as const
    return this.#deps.store.change(id, condition, { state: 'sent', updatedAt: Date.now() })
  }

  /** Records that this process is still there. */
  renew(id: string): void {
    this.#deps.store.renew(id, this.holder, Date.now()).catch(this.#deps.onError)
  }

  async end(id: string, { state, ending, note }: EndOfTask, condition = this.#own): Promise<void> {
    const { store, vault } = this.#deps
    const now = Date.now()
    const before = await persist(() => store.find(id, now))
    const expiresAt = Math.max(before?.expiresAt ?? 0, now + TASK_LIMITS.keptMs)
    const over = { ending: vault.seal(ending), note, questions: undefined, holder: undefined }
    await this.#save(id, { state, ...over, expiresAt }, condition)
    if (before !== undefined) await store.trim(before.principal, TASK_LIMITS.perCaller)
  }

  /** Keeps the questions with which the server answered. The call continues when the client has answered them all. */
  async ask({ id, talk: { round } }: OpenedTask, { inputRequests, requestState }: Json): Promise<void> {
    const asked = Object.entries(isJsonObject(inputRequests) ? inputRequests : {})
    const named = asked.map(([key, request]) => [nameForClient(round + 1, key), request])
    const talk: Talk = {
      ...NO_TALK,
      requests: Object.fromEntries(named),
      round: round + 1,
      ...(typeof requestState === 'string' ? { state: requestState } : {}),
    }
    // Without questions, the server only wants the call to be made again.
    const state = named.length === 0 ? 'waiting' : 'asking'
    await this.#save(id, { state, questions: this.#deps.vault.seal(talk), holder: undefined })
  }

  /** Keeps the task that the server made. */
  async keepRemote({ id, call }: OpenedTask, result: Json, request: string): Promise<void> {
    const remote = readRemote(result, request)
    if (remote === undefined) return this.end(id, UNKNOWN_OUTCOME)
    const { ref, expiresAt, note } = remote
    const sealed = this.#deps.vault.seal({ ...call, remote: ref })
    await this.#save(id, { state: 'remote', call: sealed, expiresAt, note, holder: undefined })
  }

  /** Shows the client the questions that the server asks during the call. */
  publish(id: string, requests: Json): void {
    const talk = (before: Talk): Talk => {
      const open = Object.entries(requests).filter(([key]) => before.responses[key] === undefined)
      return { ...before, requests: Object.fromEntries(open) }
    }
    changeTalk(id, { states: ['sent'], holder: this.holder, talk }, this.#deps).catch(this.#deps.onError)
  }

  get #own(): TaskCondition {
    return { states: ['claimed', 'sent'], holder: this.holder }
  }

  async #save(id: string, change: TaskChange, condition = this.#own): Promise<void> {
    await persist(() => this.#deps.store.change(id, condition, { ...change, updatedAt: Date.now() }))
  }
}

/** The pauses before further attempts to save, in milliseconds: together about two minutes. */
const PAUSES_MS = [100, 500, 2000, 5000, 10_000, 20_000, 30_000, 60_000]

/** Saves the outcome of a call, even if the store is unavailable for a while. The call itself cannot be repeated. */
async function persist<T>(save: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS)
    try {
      return await save()
    } catch {
      await new Promise(resolve => setTimeout(resolve, pause).unref())
    }
  return save()
}

import { LIMITS } from '../admission/limits.ts'
import { explainUnaskable, refuseAsk } from '../exchange/askable.ts'
import { type Caller, type Exchange, nextRequestId, type QuestionResult } from '../exchange/exchange.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import { isJsonObject, type Json, RPC } from '../protocol/messages.ts'
import { readEnvelope } from '../protocol/modern.ts'
import { writeJson } from '../protocol/parse-json.ts'
import type { Principal } from '../scope/scope.ts'
import type { Ask, AskAnswer } from '../upstream/connection/upstream-request.ts'
import type { Talk, TaskCall } from './task-vault.ts'

/** Returns the caller of a task. The principal can be newer than the one that made the task. */
export function callerOfTask({ params, session, principal }: TaskCall, now: Principal = principal): Caller {
  return { principal: now, era: 'modern', session, envelope: readEnvelope(params) }
}

/** Returns the call of a task as it arrived. */
export function incomingOf(
  { server, tool, typed, params, claim, asker, isForApps }: TaskCall,
  { exchange, set }: Pick<IncomingCall, 'exchange' | 'set'>,
): IncomingCall {
  const call = { exchange, server, tool, typed, params, claim, asker, set }
  return isForApps === true ? { ...call, isForApps } : call
}

const { count: MOST, length: LONGEST } = LIMITS.questions.ofCall

const TOO_MANY = { code: RPC.internal, message: 'this call has too many open questions' }
const GONE = { code: RPC.internal, message: 'the call was cancelled' }

/**
 * A call that a task makes. Its client is not connected. A question from the server is stored with the task, and the
 * client answers it with `tasks/update`, perhaps through another gateway.
 */
export class TaskExchange implements Exchange {
  readonly requestId = nextRequestId()
  readonly caller: Caller
  readonly id = 0
  readonly method = 'tools/call'
  readonly params: Json
  /** True once the call might have reached its server. */
  wasSent = false
  /** True if the call was cancelled because this gateway stops, and not by the client. */
  isStopped = false
  readonly #publish: (requests: Json) => void
  readonly #open = new Map<string, { readonly ask: Ask; readonly resolve: (answer: AskAnswer) => void }>()
  readonly #listeners: ((reason?: string) => void)[] = []
  #asked = 0
  #isCancelled = false

  constructor(caller: Caller, params: Json, publish: (requests: Json) => void) {
    this.caller = caller
    this.params = params
    this.#publish = publish
  }

  /** The protocol has no progress for tasks. */
  notify(): void {}

  ask(ask: Ask): Promise<QuestionResult> {
    const error = explainUnaskable(ask, this.caller.envelope.capabilities)
    if (error !== undefined) return Promise.resolve(refuseAsk(ask, error))
    const key = `ask-${++this.#asked}`
    const asked = new Promise<AskAnswer>(resolve => this.#open.set(key, { ask, resolve }))
    const requests = this.#requests()
    if (this.#open.size > MOST || writeJson(requests).length > LONGEST) {
      this.#open.delete(key)
      return Promise.resolve({ error: TOO_MANY })
    }
    this.#publish(requests)
    return asked
  }

  /** Takes what the client has said in the meantime, through any gateway. */
  hear({ responses, isCancelled }: Talk): void {
    for (const [key, { resolve }] of this.#open) {
      const response = responses[key]
      if (!isJsonObject(response)) continue
      this.#open.delete(key)
      resolve({ result: response })
    }
    if (isCancelled === true) this.cancel()
  }

  onCancel(listener: (reason?: string) => void): void {
    if (this.#isCancelled) listener()
    else this.#listeners.push(listener)
  }

  cancel(): void {
    if (this.#isCancelled) return
    this.#isCancelled = true
    for (const listener of this.#listeners.splice(0)) listener()
    for (const { resolve } of this.#open.values()) resolve({ error: GONE })
  }

  /** Cancels the call because this gateway stops. */
  stop(): void {
    this.isStopped = true
    this.cancel()
  }

  #requests(): Json {
    const asked = [...this.#open].map(([key, { ask }]) => [key, withMode(ask)])
    return Object.fromEntries(asked) as Json
  }
}

/** Older servers can omit the mode `form`, which newer clients expect. */
function withMode({ method, params }: Ask): Json {
  if (params === undefined) return { method }
  if (method !== 'elicitation/create') return { method, params }
  const { elicitationId: _id, ...rest } = params
  return { method, params: { mode: 'form', ...rest } }
}

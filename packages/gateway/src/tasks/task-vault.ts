import { TextSealer } from '../base/text-sealer.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { Json, RpcError } from '../protocol/messages.ts'
import { parseJson, writeJson } from '../protocol/parse-json.ts'
import type { Principal } from '../scope/scope.ts'
import type { StoredTask } from '../store/task-store.ts'

/** The call of a task, with everything that is needed to make it later in another process. */
export interface TaskCall
  extends Pick<IncomingCall, 'server' | 'tool' | 'typed' | 'params' | 'claim' | 'asker' | 'isForApps'> {
  readonly principal: Principal
  readonly session: string
  /** The name of the toolset whose endpoint received the call. */
  readonly set?: string
  /** Set once the server has made a task of its own. */
  readonly remote?: RemoteTask
}

/** A server's own task. */
export interface RemoteTask {
  readonly id: string
  /** The request in which the server made the task. */
  readonly request: string
}

/** Questions to the client and its answers. */
export interface Talk {
  /** The open questions, by the names that the client sees. */
  readonly requests: Json
  /** The answers so far, by the names that the server gave to its questions. */
  readonly responses: Json
  /** The number of times that the call was continued with answers. It makes names of questions unique. */
  readonly round: number
  /** The request state with which the call continues. */
  readonly state?: string
  /** True if the client wants to cancel the call. */
  readonly isCancelled?: boolean
}

export const NO_TALK: Talk = { requests: {}, responses: {}, round: 0 }

/** How a task ended: with what the call returned, or with the reasons why there is no result. */
export interface Ending {
  readonly result?: Json
  readonly error?: RpcError
  /** The reasons of a task that was cancelled, as agents know them from refusals. */
  readonly refusal?: Json
}

/** The gateway's own texts need no stricter limit, because their content was limited when it came in. */
const DEEPEST = 100_000

/** Seals and opens what a task says about its call. Numbers keep all their digits. */
export class TaskVault {
  readonly #sealer: TextSealer

  constructor(secret: Buffer) {
    this.#sealer = new TextSealer(secret, 'tasks')
  }

  seal(value: TaskCall | Talk | Ending): string {
    return this.#sealer.seal(writeJson(value))
  }

  callOf({ call }: Pick<StoredTask, 'call'>): TaskCall {
    return this.#open(call) as TaskCall
  }

  talkOf({ questions }: Pick<StoredTask, 'questions'>): Talk {
    return questions === undefined ? NO_TALK : (this.#open(questions) as Talk)
  }

  endingOf({ ending }: Pick<StoredTask, 'ending'>): Ending {
    return ending === undefined ? {} : (this.#open(ending) as Ending)
  }

  #open(sealed: string): unknown {
    const text = this.#sealer.open(sealed)
    const parsed = text === undefined ? undefined : parseJson(text, DEEPEST)
    if (parsed?.ok !== true) throw new Error('a task in the store cannot be opened with the secret key')
    return parsed.value
  }
}

import { canShowForm, confirmationForm, FORM_KEY, readForm } from '../approvals/form.ts'
import { showMoment } from '../approvals/shown-request.ts'
import { createName } from '../base/create-name.ts'
import { refuseTaskFlood } from '../call/confirmation/refuse-confirmation.ts'
import { explainNoAnswer, refusalOf } from '../call/explain-no-answer.ts'
import { recordOutcome, startRecord } from '../call/record.ts'
import type { CallTasks } from '../exchange/call-tasks.ts'
import type { Caller, Exchange } from '../exchange/exchange.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import type { Answer, WatchedTasks } from '../exchange/surface.ts'
import { isJsonObject, type Json, type Notification, RPC, type RpcError } from '../protocol/messages.ts'
import { knowsTasks, TASKS_NEEDED, UNKNOWN_TASK } from '../protocol/tasks.ts'
import { mayUseEndpoint, mayUseTool } from '../scope/match-scope.ts'
import type { Principal } from '../scope/scope.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import { type StoredTask, TASK_LIMITS } from '../store/task-store.ts'
import { askAboutTask, findAsked, recordLate, sendAbout } from './ask-server.ts'
import { changeTalk } from './change-talk.ts'
import { endOf } from './end-task.ts'
import { nameAtServer } from './question-names.ts'
import { readRemote } from './remote-task.ts'
import type { TaskDeps } from './task-deps.ts'
import { callerOfTask, incomingOf, TaskExchange } from './task-exchange.ts'
import { TaskRunner } from './task-runner.ts'
import type { Talk, TaskCall } from './task-vault.ts'
import { updateRemote } from './update-remote.ts'
import { type Address, addressTask, describeTask, viewTask } from './view-task.ts'
import { watchTasks } from './watch-tasks.ts'

type Answered = Extract<Outcome, { kind: 'answered' }>

/** On a new task: the approval that it waits for. */
const META_APPROVAL = 'io.hintgate/approval'

const EMPTY: Answer = { result: { resultType: 'complete' } }

/** Calls that outlive their requests: those that wait for a person, and those that a server turned into tasks. */
export class Tasks implements CallTasks {
  readonly #deps: TaskDeps
  readonly #runner: TaskRunner

  constructor(deps: TaskDeps) {
    this.#deps = deps
    this.#runner = new TaskRunner(deps)
  }

  /** Starts to make the calls of tasks that a person has approved. */
  start(): void {
    this.#runner.start()
  }

  close(ms: number): Promise<void> {
    return this.#runner.close(ms)
  }

  async wait({ call }: Classified, asked: StoredApproval): Promise<Outcome | undefined> {
    const approve = `hintgate approvals approve ${asked.id}`
    const note = `A person has to decide on this call by ${showMoment(asked.expiresAt)}. To approve it: ${approve}`
    const task = this.#newTask(call, {
      state: 'waiting',
      approval: asked.id,
      expiresAt: asked.expiresAt + TASK_LIMITS.keptMs,
      note,
    })
    if (!(await this.#deps.store.insert(task, TASK_LIMITS.perCaller))) return undefined
    const approval = { id: asked.id, expires: new Date(asked.expiresAt).toISOString(), approve }
    const shown = describeTask(task, 'input_required')
    return {
      kind: 'answered',
      result: { resultType: 'task', ...shown, _meta: { [META_APPROVAL]: approval } },
    }
  }

  async adopt({ result, bytes }: Answered, classified: Classified): Promise<Outcome> {
    const { call } = classified
    const remote = readRemote(result, call.exchange.requestId)
    if (remote === undefined)
      return { kind: 'refused', refusal: refusalOf(classified, explainNoAnswer(UNUSABLE), 1) }
    const { ref, expiresAt, note } = remote
    const task = this.#newTask(call, { state: 'remote', expiresAt, note }, ref)
    if (!(await this.#deps.store.insert(task, TASK_LIMITS.perCaller))) return refuseTaskFlood(classified)
    return { kind: 'answered', result: { resultType: 'task', ...describeTask(task, 'working') }, bytes }
  }

  /** Answers a request about a task. Every task is unknown to all but its caller. */
  async answer(exchange: Exchange, address?: Address): Promise<Answer> {
    const { caller, method, params = {} } = exchange
    if (!knowsTasks(caller.envelope.capabilities)) return { error: TASKS_NEEDED }
    if (typeof params.taskId !== 'string') return { error: NO_ID }
    const found = await this.#find(params.taskId, caller)
    if (found === undefined) return { error: UNKNOWN_TASK }
    if (method === 'tasks/get') {
      const answer = await this.#get(exchange, found)
      if (!('result' in answer)) return answer
      return { result: addressTask(answer.result, found.call.server, { caller, address }) }
    }
    return method === 'tasks/cancel' ? this.#cancel(exchange, found) : this.#update(exchange, found)
  }

  /** Tells a client about changes of its tasks until `stop` is called. Servers' own tasks do not announce changes. */
  watch(
    caller: Caller,
    ids: readonly string[],
    onNotification: (notification: Notification) => void,
    address?: Address,
  ): Promise<WatchedTasks> {
    const view = async (id: string): Promise<{ version: number; shown: Json } | undefined> => {
      const found = await this.#find(id, caller)
      if (found === undefined || found.task.state === 'remote') return undefined
      const shown = await this.#show(found.task, caller)
      const { server } = found.call
      return { version: found.task.version, shown: addressTask(shown, server, { caller, address }) }
    }
    return watchTasks(ids, {
      view,
      onNotification,
      onChange: this.#deps.onChange,
      onError: this.#deps.onError,
    })
  }

  #newTask(
    { exchange, server, tool, typed, params, claim, asker, isForApps, set }: Classified['call'],
    about: Pick<StoredTask, 'state' | 'expiresAt'> & {
      readonly approval?: string
      readonly note: string | undefined
    },
    remote?: TaskCall['remote'],
  ): StoredTask {
    const { principal, session } = exchange.caller
    const now = Date.now()
    const call: TaskCall = {
      ...{ server, tool, typed, params, principal, session },
      ...(claim === undefined ? {} : { claim }),
      ...(asker === undefined ? {} : { asker }),
      ...(isForApps === undefined ? {} : { isForApps }),
      ...(set === undefined ? {} : { set: set.name }),
      ...(remote === undefined ? {} : { remote }),
    }
    const { note, ...rest } = about
    return {
      id: `task_${createName(24)}`,
      principal: principal.id,
      createdAt: now,
      updatedAt: now,
      version: 1,
      call: this.#deps.vault.seal(call),
      ...rest,
      ...(note === undefined ? {} : { note }),
    }
  }

  async #find(id: string, { principal }: Caller): Promise<Found | undefined> {
    const { store, vault } = this.#deps
    const task = await store.find(id, Date.now(), principal.id)
    if (task === undefined) return undefined
    const call = vault.callOf(task)
    return this.#isInScope(call, principal) ? { task, call } : undefined
  }

  #isInScope({ principal: before, server, tool, set }: TaskCall, { scope, path }: Principal): boolean {
    // A credential for one path reaches only tasks that were made with such a one.
    if (path !== undefined && path !== before.path) return false
    const isOffered = set === undefined || this.#deps.findSet(set)?.mayOffer(server, tool) === true
    return isOffered && mayUseEndpoint(scope, set) && mayUseTool(scope, server, tool)
  }

  async #get(exchange: Exchange, { task, call }: Found): Promise<Answer> {
    if (task.state === 'remote') return this.#getRemote(exchange, { task, call })
    // The caller is here, so its access needs no other proof.
    if (task.state === 'waiting' && this.#deps.isForeign(call.principal))
      this.#runner.run(task.id, exchange.caller.principal)
    return complete(await this.#show(task, exchange.caller))
  }

  async #show(task: StoredTask, { envelope }: Caller): Promise<Json> {
    const { vault } = this.#deps
    const form = task.state === 'waiting' ? await this.#formOf(task, envelope.capabilities) : undefined
    return viewTask(task, { talk: vault.talkOf(task), ending: vault.endingOf(task), form })
  }

  /** The gateway's question, if the client can show it and its user is allowed to answer. */
  async #formOf({ approval: id }: StoredTask, capabilities: Json): Promise<Json | undefined> {
    if (id === undefined || !canShowForm(capabilities)) return undefined
    const approval = await this.#deps.corridor().approvals.find(id)
    if (approval?.channel !== 'any' || approval.state !== 'pending') return undefined
    return { [FORM_KEY]: { method: 'elicitation/create', params: confirmationForm(approval) } }
  }

  async #getRemote(exchange: Exchange, { task, call }: Found): Promise<Answer> {
    const asked = await findAsked(exchange, call, this.#deps)
    if (asked === undefined) return { error: UNKNOWN_TASK }
    const said = await askAboutTask(asked, this.#deps)
    if (said.kind === 'error') return { error: said.error }
    if (said.kind === 'working') return complete(describeTask(task, 'working', said.note))
    if (said.kind === 'asking')
      return complete({ ...describeTask(task, 'input_required', said.note), inputRequests: said.requests })
    const { state, ending, note } = said.end
    const now = Date.now()
    const expiresAt = Math.max(task.expiresAt, now + TASK_LIMITS.keptMs)
    const change = { state, ending: this.#deps.vault.seal(ending), note, updatedAt: now, expiresAt }
    const condition = { states: ['remote'], version: task.version } as const
    // Of several requests that see the result, only one records it.
    if (await this.#deps.store.change(task.id, condition, change)) {
      await recordLate(asked, said.outcome, this.#deps)
      await this.#deps.store.trim(task.principal, TASK_LIMITS.perCaller)
    }
    const over = await this.#deps.store.find(task.id, now, task.principal)
    return over === undefined ? { error: UNKNOWN_TASK } : complete(await this.#show(over, exchange.caller))
  }

  async #update(exchange: Exchange, { task, call }: Found): Promise<Answer> {
    const responses = exchange.params?.inputResponses
    if (!isJsonObject(responses)) return { error: NO_RESPONSES }
    if (task.state === 'remote') {
      const error = await updateRemote(await findAsked(exchange, call, this.#deps), responses, this.#deps)
      return error === undefined ? EMPTY : { error }
    }
    if (task.state === 'waiting') await this.#decide(task, responses[FORM_KEY])
    else await this.#takeAnswers(task.id, responses)
    this.#runner.look()
    return EMPTY
  }

  /** Takes the decision of the client's user. It counts unless the rules require another person to decide. */
  async #decide({ approval: id, principal }: StoredTask, response: unknown): Promise<void> {
    const answer = readForm(response)
    const { approvals } = this.#deps.corridor()
    const approval = id === undefined ? undefined : await approvals.find(id)
    if (answer === undefined || approval?.channel !== 'any' || approval.state !== 'pending') return
    const decision = { verdict: answer.verdict, by: `client of ${principal}`, via: 'input_required' }
    // If another person answered first, that answer counts.
    await approvals.decide(approval.id, decision).catch(() => {})
  }

  /** Takes answers to a server's questions. Answers to other questions are ignored, as the protocol says. */
  async #takeAnswers(id: string, responses: Json): Promise<void> {
    const talk = (before: Talk): Talk | undefined => {
      const known = Object.keys(before.requests).filter(key => isJsonObject(responses[key]))
      if (known.length === 0) return undefined
      const open = Object.entries(before.requests).filter(([key]) => !known.includes(key))
      const given = known.map(key => [nameAtServer(key, before), responses[key]])
      return {
        ...before,
        requests: Object.fromEntries(open),
        responses: { ...before.responses, ...Object.fromEntries(given) },
      }
    }
    const more = ({ requests }: Talk, state: StoredTask['state']) =>
      state === 'asking' && Object.keys(requests).length === 0 ? ({ state: 'waiting' } as const) : {}
    await changeTalk(id, { states: ['asking', 'sent'], talk, more }, this.#deps)
  }

  async #cancel(exchange: Exchange, { task, call }: Found): Promise<Answer> {
    if (task.state === 'remote') {
      const asked = await findAsked(exchange, call, this.#deps)
      if (asked === undefined) return { error: UNKNOWN_TASK }
      const reply = await sendAbout(asked, { method: 'tasks/cancel' }, this.#deps)
      return reply.kind === 'error' ? { error: reply.error } : EMPTY
    }
    const { state, ending, note } = endOf({ kind: 'cancelled' }, false)
    const over = { state, ending: this.#deps.vault.seal(ending), note, updatedAt: Date.now() }
    const isStopped = await this.#deps.store.change(
      task.id,
      { states: ['waiting', 'claimed', 'asking'] },
      { ...over, questions: undefined, holder: undefined },
    )
    if (isStopped) await this.#recordCancelled(call)
    else await this.#stopSent(task.id)
    return EMPTY
  }

  /** Asks the gateway that makes the call to cancel it. */
  async #stopSent(id: string): Promise<void> {
    const talk = (before: Talk): Talk => ({ ...before, isCancelled: true })
    await changeTalk(id, { states: ['sent'], talk }, this.#deps)
    this.#runner.look()
  }

  async #recordCancelled(call: TaskCall): Promise<void> {
    const exchange = new TaskExchange(callerOfTask(call), call.params, () => {})
    const set = call.set === undefined ? undefined : this.#deps.findSet(call.set)
    const record = startRecord(incomingOf(call, { exchange, set }))
    await recordOutcome(record, { kind: 'cancelled' }, this.#deps.corridor().recorder)
  }
}

interface Found {
  readonly task: StoredTask
  readonly call: TaskCall
}

function complete(shown: Json): Answer {
  return { result: { resultType: 'complete', ...shown } }
}

const NO_ID: RpcError = { code: RPC.invalidParams, message: 'the request needs a `taskId`' }
const NO_RESPONSES: RpcError = {
  code: RPC.invalidParams,
  message: 'tasks/update needs `inputResponses`, which must be an object',
}

const UNUSABLE = {
  kind: 'failure',
  failure: { kind: 'protocol', detail: 'the server made a task that the gateway cannot use', notSent: false },
} as const

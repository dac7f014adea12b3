import { handleCall } from '../../call/handle-call.ts'
import type { TestCorridor } from '../../call/test-support/corridor.ts'
import { TestExchange } from '../../call/test-support/test-exchange.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { IncomingCall } from '../../exchange/incoming-call.ts'
import type { Answer } from '../../exchange/surface.ts'
import { wrapExchange } from '../../exchange/wrap-exchange.ts'
import type { Json } from '../../protocol/messages.ts'
import { TASKS } from '../../protocol/tasks.ts'

export const KNOWS_TASKS = { extensions: { [TASKS]: {} } }
export const KNOWS_FORMS = { ...KNOWS_TASKS, elicitation: {} }

/** The statuses that end a task. */
const OVER = new Set(['completed', 'failed', 'cancelled'])

/** A client that knows tasks, in front of a corridor without a transport. */
export class TaskClient {
  readonly corridor: TestCorridor
  capabilities: object
  readonly #principal: Exchange['caller']['principal']

  constructor(
    corridor: TestCorridor,
    principal: Exchange['caller']['principal'],
    capabilities: object = KNOWS_TASKS,
  ) {
    this.corridor = corridor
    this.#principal = principal
    this.capabilities = capabilities
  }

  /** Makes a call that becomes a task, and returns the task. */
  async start(tool: string, asking: object = {}): Promise<Json> {
    const { outcome } = await this.corridor.call(tool, { capabilities: this.capabilities, ...asking })
    if (outcome?.kind !== 'answered') throw new Error(`no task: ${JSON.stringify(outcome)}`)
    return outcome.result
  }

  /** Makes a call that becomes a task with this client's own credential, perhaps for an app. */
  async call(
    tool: string,
    { arguments: args = {}, ...about }: Pick<IncomingCall, 'asker' | 'isForApps'> & { arguments?: Json } = {},
  ): Promise<Json> {
    const params = { name: tool, arguments: args }
    const exchange = new TestExchange(this.#principal, params, this.capabilities)
    const call = { exchange, server: 's', tool, typed: `s:${tool}`, params, ...about }
    const outcome = await handleCall(call, this.corridor.parts)
    if (outcome.kind !== 'answered') throw new Error(`no task: ${JSON.stringify(outcome)}`)
    return outcome.result
  }

  async request(method: string, params: Json): Promise<Answer> {
    const inner = new TestExchange(this.#principal, { ...params }, this.capabilities)
    const exchange = Object.assign(wrapExchange(inner, { params }), { method })
    return this.corridor.parts.tasks.answer(exchange)
  }

  async get(taskId: unknown): Promise<Json> {
    const answer = await this.request('tasks/get', { taskId })
    if (!('result' in answer)) throw new Error(JSON.stringify(answer))
    return answer.result
  }

  /** Waits until a task is over, and returns it. */
  async end(taskId: unknown): Promise<Json> {
    for (;;) {
      const task = await this.get(taskId)
      if (OVER.has(String(task.status))) return task
      await new Promise(resolve => setTimeout(resolve, 10))
    }
  }
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FlakyServer } from '../faults/flaky-server.ts'
import { adminWith } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { approve } from '../support/confirming.ts'
import {
  type Gateway,
  readiness,
  Site,
  startGatewayAt,
  startReadyGateway,
  stdioServer,
} from '../support/gateway.ts'
import { hasPostgres, openDatabase } from '../support/postgres.ts'
import { type Json, ModernClient } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { approvalOf, endOfTask, KNOWS_TASKS, taskOf, untilTask } from '../support/tasks.ts'
import { openWitness } from '../support/witness.ts'

afterAll(cleanUp)

const ANSWER = { action: 'accept', content: { name: 'Ada' } }

describe('a question of the server during the call of a task', () => {
  let gateway: Gateway
  let client: ModernClient

  beforeAll(async () => {
    const witness = await openWitness()
    const tools = [scripted('ask', { annotations: DESTROYS }, { does: 'ask' })]
    const modern = new ScriptedServer('modern', witness, tools, { era: 'modern' })
    gateway = await startReadyGateway({
      confirm: {},
      overrides: { legacy: { ask: { destructiveHint: true } } },
      mcpServers: { modern: modern.config, legacy: stdioServer('legacy', witness) },
    })
    const capabilities = { ...KNOWS_TASKS, elicitation: {} }
    client = new ModernClient(gateway.endpoint(), await gateway.site.token(), capabilities)
  })

  /** Makes a call that is approved, and returns its task when the server asks. */
  async function askDuring(tool: string, args: Json): Promise<Json & { readonly taskId: string }> {
    const task = taskOf(await client.call(tool, args))
    await approve(gateway.site, approvalOf(task))
    const isAsking = ({ inputRequests = {} }: Json): boolean =>
      Object.keys(inputRequests as Json).some(key => key !== 'hintgate-confirm')
    return { ...(await untilTask(client, task.taskId, isAsking)), taskId: task.taskId }
  }

  const update = (taskId: string, inputResponses: Json) =>
    client.request('tasks/update', { taskId, inputResponses })

  it('reaches the client in the task, from a modern server', async () => {
    const { taskId, status, inputRequests } = await askDuring('modern__ask', { id: 1 })
    expect(status).toBe('input_required')
    expect(inputRequests).toMatchObject({ which: { method: 'elicitation/create' } })
    // Other answers are ignored.
    await update(taskId, { other: ANSWER })
    await update(taskId, { which: ANSWER })
    const over = await endOfTask(client, taskId)
    expect(over.status).toBe('completed')
    expect(JSON.stringify(over.result)).toContain('Ada')
    await update(taskId, { which: ANSWER })
  })

  it('reaches the client in the task, from a legacy server that waits for the answer', async () => {
    const form = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } }
    const args = { method: 'elicitation/create', params: form }
    const { taskId, inputRequests } = await askDuring('legacy__ask', args)
    const [[key = '', request] = []] = Object.entries(inputRequests as Json)
    expect(request).toMatchObject({ method: 'elicitation/create', params: { mode: 'form', message: 'Who?' } })
    await update(taskId, { [key]: ANSWER })
    const over = await endOfTask(client, taskId)
    expect(over.status).toBe('completed')
    expect(JSON.stringify(over.result)).toContain('Ada')
  })

  it('ends when the client cancels the task', async () => {
    const { taskId } = await askDuring('modern__ask', { id: 2 })
    await client.request('tasks/cancel', { taskId })
    expect(await endOfTask(client, taskId)).toMatchObject({ status: 'cancelled' })
  })
})

describe.skipIf(!hasPostgres())('two gateways on one PostgreSQL', () => {
  it('make each call of a task once, whichever of them was asked, told or polled', async () => {
    const { url: store } = await openDatabase()
    const web = await new FlakyServer().open()
    const site = new Site({ store, confirm: {}, mcpServers: { web: web.config() } })
    const [one, other] = [await startGatewayAt(site), await startGatewayAt(site)]
    await Promise.all([one, other].map(gateway => gateway.says(readiness('web'))))
    const token = await site.token()
    const asking = new ModernClient(one.endpoint(), token, KNOWS_TASKS)
    const polling = new ModernClient(other.endpoint(), token, KNOWS_TASKS)
    const ids = Array.from({ length: 10 }, (_, at) => `call ${at}`)
    const tasks = await Promise.all(ids.map(async id => taskOf(await asking.call('web__destroy', { id }))))
    const approver = await adminWith(other, 'approver')
    for (const task of tasks)
      await approver.decideApproval({ params: { id: approvalOf(task) }, body: { decision: 'approve' } })
    const ends = await Promise.all(tasks.map(({ taskId }) => endOfTask(polling, taskId)))
    expect(ends.map(({ status }) => status)).toEqual(ids.map(() => 'completed'))
    expect(new Set(web.callsOf('destroy').map(({ args }) => args.id))).toEqual(new Set(ids))
    expect(web.callsOf('destroy')).toHaveLength(ids.length)
    for (const [at, { taskId }] of tasks.entries()) expect(await endOfTask(asking, taskId)).toEqual(ends[at])
  })
})

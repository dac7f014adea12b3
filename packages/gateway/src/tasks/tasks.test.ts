import { afterEach, describe, expect, it, vi } from 'vitest'
import { FORM_KEY } from '../approvals/form.ts'
import { type Setting, TestCorridor } from '../call/test-support/corridor.ts'
import { RPC } from '../protocol/messages.ts'
import { UNKNOWN_TASK } from '../protocol/tasks.ts'
import { KNOWS_FORMS, KNOWS_TASKS, TaskClient } from './test-support/task-client.ts'

let corridor: TestCorridor
let client: TaskClient
const open = async (
  setting: Setting = {},
  capabilities: object = KNOWS_TASKS,
  definitions?: readonly object[],
): Promise<void> => {
  corridor = new TestCorridor()
  corridor.definitions = definitions ?? corridor.definitions
  await corridor.start(setting)
  client = new TaskClient(corridor, await corridor.caller(), capabilities)
  corridor.parts.tasks.start()
}
afterEach(() => corridor.stop())

const asked = async (): Promise<string> => {
  const [id] = await corridor.store.approvals.listPending(Date.now())
  return id ?? 'none'
}
const say = async (verdict: 'approved' | 'denied', note?: string): Promise<unknown> =>
  corridor.parts.approvals.decide(await asked(), { verdict, by: 'person:ada', via: 'console', note })
const codeOf = (task: object): unknown => (task as { error?: { data?: { code?: string } } }).error?.data?.code

describe('a call that needs approval', () => {
  it('becomes a task that is made once a person approved it', async () => {
    await open()
    const task = await client.start('delete', { arguments: { id: '7' } })
    expect(task).toMatchObject({ resultType: 'task', status: 'input_required', pollIntervalMs: 1000 })
    expect(String(task.taskId)).toMatch(/^task_[a-z0-9]{36,}$/)
    expect(task.statusMessage).toContain(`hintgate approvals approve ${await asked()}`)
    const waiting = await client.get(task.taskId)
    expect(waiting).toMatchObject({ resultType: 'complete', status: 'input_required', inputRequests: {} })
    expect(corridor.calls).toEqual([])
    await say('approved')
    const over = await client.end(task.taskId)
    expect(over).toMatchObject({ status: 'completed', result: { content: [{ text: 'done' }] } })
    expect(corridor.calls).toEqual(['delete'])
    expect(await client.get(task.taskId)).toEqual(over)
  })

  it('is answered as before if the client did not say that it knows tasks', async () => {
    await open({}, {})
    const { outcome } = await corridor.call('delete')
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'confirmation_required' } })
    expect(await client.request('tasks/get', { taskId: 'task_x' })).toMatchObject({
      error: { code: RPC.missingCapability },
    })
  })

  it('is cancelled, with the reasons, if a person denies it', async () => {
    await open()
    const { taskId } = await client.start('delete')
    await say('denied', 'not on a Friday')
    const over = await client.end(taskId)
    expect(over).toMatchObject({
      status: 'cancelled',
      _meta: { 'io.hintgate/refusal': { code: 'confirmation_denied' } },
    })
    expect(over.statusMessage).toContain('not on a Friday')
    expect(corridor.calls).toEqual([])
  })

  it('fails if no person answers in time', async () => {
    await open({ config: { confirm: { expires: '1s' } } })
    const { taskId } = await client.start('delete')
    const over = await client.end(taskId)
    expect(over.status).toBe('failed')
    expect(codeOf(over)).toBe('confirmation_expired')
    expect(corridor.calls).toEqual([])
  })

  it('is not made after its client cancelled it, even if a person approves it then', async () => {
    await open()
    const { taskId } = await client.start('delete')
    expect(await client.request('tasks/cancel', { taskId })).toEqual({ result: { resultType: 'complete' } })
    expect(await client.get(taskId)).toMatchObject({ status: 'cancelled' })
    await say('approved')
    await vi.waitFor(async () => expect(await corridor.store.tasks.listDue(Date.now())).toEqual([]))
    await corridor.parts.tasks.close(5000)
    expect(corridor.calls).toEqual([])
    expect(await client.request('tasks/cancel', { taskId })).toEqual({ result: { resultType: 'complete' } })
  })

  it('is not made if its token was revoked while a person decided', async () => {
    await open()
    const { taskId } = await client.start('delete')
    await corridor.store.tokens.revoke('bot', Date.now())
    await say('approved')
    const over = await client.end(taskId)
    expect(over).toMatchObject({ status: 'failed', error: { data: { reason: 'token_invalid' } } })
    expect(corridor.calls).toEqual([])
  })

  it('is judged again: a policy that came into force meanwhile can forbid it', async () => {
    await open()
    const { taskId } = await client.start('delete')
    await corridor.configure('  - { id: no-deleting, effect: deny, tools: ["*:delete"], reason: stop }')
    await say('approved')
    const over = await client.end(taskId)
    expect(over.status).toBe('failed')
    expect(codeOf(over)).toBe('policy_denied')
    expect(corridor.calls).toEqual([])
  })

  it('is not made if its tool was disabled meanwhile', async () => {
    await open()
    const { taskId } = await client.start('delete')
    await corridor.switchOff('delete')
    await say('approved')
    const over = await client.end(taskId)
    expect(over.status).toBe('failed')
    expect(codeOf(over)).toBe('quarantined')
    expect(corridor.calls).toEqual([])
  })

  it('is not made after a denial, even if the rules no longer ask', async () => {
    await open()
    const { taskId } = await client.start('delete')
    const id = await asked()
    await corridor.parts.tasks.close(0)
    await corridor.parts.approvals.decide(id, { verdict: 'denied', by: 'person:ada', via: 'cli' })
    corridor.rules = { ...corridor.rules, confirm: { ...corridor.rules.confirm, destructive: 'never' } }
    corridor.parts.tasks.start()
    expect(await client.end(taskId)).toMatchObject({ status: 'cancelled' })
    expect(corridor.calls).toEqual([])
  })

  it('shares one approval with an identical call, and only one of them is made', async () => {
    await open()
    const [one, other] = [await client.start('delete'), await client.start('delete')]
    expect(one.taskId).not.toBe(other.taskId)
    await say('approved')
    const ends = await Promise.all([client.end(one.taskId), client.end(other.taskId)])
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['completed', 'failed']))
    expect(corridor.calls).toEqual(['delete'])
  })

  it('is unknown to another caller, by every method', async () => {
    await open()
    const { taskId } = await client.start('delete')
    const stranger = new TaskClient(corridor, await corridor.caller({}))
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const params = { taskId, inputResponses: {} }
      const answer = await stranger.request(method, params)
      expect(answer).toEqual(await stranger.request(method, { ...params, taskId: 'task_unknown' }))
      expect(answer).toMatchObject({ error: { code: RPC.invalidParams } })
    }
    expect(await client.get(taskId)).toMatchObject({ status: 'input_required' })
  })

  it('is unknown to a credential for one path, unless it was made with one for that path', async () => {
    await open()
    const { taskId } = await client.start('delete')
    const bound = new TaskClient(corridor, { ...(await corridor.caller()), path: '/mcp/s' })
    expect(await bound.request('tasks/get', { taskId })).toMatchObject({ error: UNKNOWN_TASK })
    const own = await bound.call('delete', { arguments: { id: '8' } })
    expect(await bound.get(own.taskId)).toMatchObject({ status: 'input_required' })
    const elsewhere = new TaskClient(corridor, { ...(await corridor.caller()), path: '/mcp/other' })
    expect(await elsewhere.request('tasks/get', { taskId: own.taskId })).toMatchObject({
      error: UNKNOWN_TASK,
    })
  })

  it('of an app can be made after the approval, and is recorded with its app', async () => {
    const isOnlyForApps = { _meta: { ui: { visibility: ['app'] } } }
    await open({}, KNOWS_TASKS, [{ name: 'delete', inputSchema: { type: 'object' }, ...isOnlyForApps }])
    const asker = 'app clock ui://clock'
    const { taskId } = await client.call('delete', { asker, isForApps: true })
    await say('approved')
    expect(await client.end(taskId)).toMatchObject({ status: 'completed' })
    await corridor.parts.audit.close()
    const { calls } = await corridor.store.audit.query({ limit: 1 })
    expect(JSON.parse(calls[0]?.intent?.body ?? '{}')).toMatchObject({ asker })
  })

  it('is limited in number for each caller', async () => {
    await open()
    for (let at = 0; at < 100; at += 1) await client.start('delete')
    const { outcome } = await corridor.call('delete', { capabilities: KNOWS_TASKS })
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'overloaded' } })
  })
})

describe("the client's user", () => {
  const approve = { [FORM_KEY]: { action: 'accept', content: { decision: 'approve' } } }

  it('can answer in the task if the client can show forms', async () => {
    await open({}, KNOWS_FORMS)
    const { taskId } = await client.start('delete')
    const waiting = await client.get(taskId)
    expect(waiting.inputRequests).toMatchObject({ [FORM_KEY]: { method: 'elicitation/create' } })
    const update = { taskId, inputResponses: approve }
    expect(await client.request('tasks/update', update)).toEqual({ result: { resultType: 'complete' } })
    expect(await client.end(taskId)).toMatchObject({ status: 'completed' })
    await client.request('tasks/update', update)
    expect(corridor.calls).toEqual(['delete'])
  })

  it('cannot answer if the rules require another person', async () => {
    await open(
      { policy: '  - { id: p, effect: confirm, channel: person, tools: ["*:delete"], reason: r }' },
      KNOWS_FORMS,
    )
    const { taskId } = await client.start('delete')
    expect(await client.get(taskId)).toMatchObject({ inputRequests: {} })
    await client.request('tasks/update', { taskId, inputResponses: approve })
    expect(await client.get(taskId)).toMatchObject({ status: 'input_required' })
    await say('approved')
    expect(await client.end(taskId)).toMatchObject({ status: 'completed' })
  })
})

describe('a task whose gateway was killed', () => {
  /** The state that a killed gateway leaves: a task held by a process that no longer runs. */
  const kill = async (taskId: unknown, state: 'claimed' | 'sent'): Promise<void> => {
    const dead = JSON.stringify({ place: 'elsewhere', pid: 1, processStart: '', run: 'x' })
    const held = { state, holder: dead, seenAt: 1 }
    expect(await corridor.store.tasks.change(String(taskId), { states: ['waiting'] }, held)).toBe(true)
  }
  const prepare = async (): Promise<unknown> => {
    await open()
    const { taskId } = await client.start('delete')
    await corridor.parts.tasks.close(0)
    return taskId
  }

  it('is made by the next one, if it was claimed and not sent', async () => {
    const taskId = await prepare()
    await say('approved')
    await kill(taskId, 'claimed')
    corridor.parts.tasks.start()
    expect(await client.end(taskId)).toMatchObject({ status: 'completed' })
    expect(corridor.calls).toEqual(['delete'])
  })

  it('is not made again, if it might have been sent', async () => {
    const taskId = await prepare()
    await say('approved')
    await kill(taskId, 'sent')
    corridor.parts.tasks.start()
    expect(await client.end(taskId)).toMatchObject({
      status: 'failed',
      error: { data: { reason: 'outcome_unknown' } },
    })
    expect(corridor.calls).toEqual([])
  })

  it.each([
    ['the task itself', 'is made', 'completed', 1],
    ['another call', 'is not made', 'failed', 0],
  ] as const)('whose approval %s had used before it was sent %s', async (who, _, status, times) => {
    const taskId = await prepare()
    const id = await asked()
    await say('approved')
    const { binding } = (await corridor.store.approvals.find(id)) ?? { binding: '' }
    const by = who === 'the task itself' ? String(taskId) : undefined
    expect(await corridor.store.approvals.spend(id, binding, Date.now(), by)).toBe(true)
    await kill(taskId, 'claimed')
    corridor.parts.tasks.start()
    expect(await client.end(taskId)).toMatchObject({ status })
    expect(corridor.calls).toHaveLength(times)
  })
})

describe('a task that runs', () => {
  it('is working, and its client can still cancel it', async () => {
    await open()
    const { taskId } = await client.start('delete')
    let answerNow = (): void => {}
    const reached = new Promise<void>(resolve => {
      corridor.onCall = () => {
        resolve()
        return new Promise<void>(answer => {
          answerNow = answer
        })
      }
    })
    await say('approved')
    await reached
    expect(await client.get(taskId)).toMatchObject({ status: 'working' })
    await client.request('tasks/cancel', { taskId })
    const over = await client.end(taskId)
    expect(over.status).toBe('cancelled')
    expect(over.statusMessage).toContain('might have executed')
    answerNow()
  })

  it('has an unknown outcome if its gateway stops, so that it is not made again', async () => {
    await open()
    const { taskId } = await client.start('delete')
    const reached = new Promise<void>(resolve => {
      corridor.onCall = () => {
        resolve()
        return new Promise<void>(() => {})
      }
    })
    await say('approved')
    await reached
    await corridor.parts.tasks.close(0)
    expect(await client.get(taskId)).toMatchObject({
      status: 'failed',
      error: { data: { reason: 'outcome_unknown' } },
    })
    expect(corridor.calls).toEqual(['delete'])
  })

  it('announces its changes to a client that watches it', async () => {
    await open()
    const { taskId } = await client.start('delete')
    const { caller } = (await corridor.begin('look', { capabilities: KNOWS_TASKS })).exchange
    const said: object[] = []
    const watched = await corridor.parts.tasks.watch(
      caller,
      [String(taskId), 'task_unknown'],
      ({ params }) => said.push(params ?? {}),
      (result, server) => ({ ...result, content: `from ${server}` }),
    )
    expect(watched.ids).toEqual([taskId])
    await say('approved')
    await vi.waitFor(() =>
      expect(said.at(-1)).toMatchObject({ taskId, status: 'completed', result: { content: 'from s' } }),
    )
    watched.stop()
  })
})

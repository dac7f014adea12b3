import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { approve, decide, FORM, YES } from '../support/confirming.ts'
import { type Gateway, startGatewayAt, startReadyGateway, startStdioGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { type Json, ModernClient } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { callsSeenBy, EVERYTHING } from '../support/search-client.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { approvalOf, endOfTask, getTask, KNOWS_TASKS, taskOf } from '../support/tasks.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const DESTROY = scripted('destroy', { annotations: DESTROYS })
const DOORS = ['search', 'direct', 'server'] as const
type Door = (typeof DOORS)[number]

let witness: Witness
let gateway: Gateway
let token: string

beforeAll(async () => {
  witness = await openWitness()
  const things = new ScriptedServer('things', witness, [DESTROY])
  gateway = await startReadyGateway({ confirm: {}, mcpServers: { things: things.config } })
  token = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

function clientAt(door: Door, by = token): ModernClient {
  const url = { search: `${gateway.url}/mcp`, direct: gateway.endpoint(), server: gateway.endpoint('things') }
  return new ModernClient(url[door], by, KNOWS_TASKS)
}

function callAt(door: Door, args: Json): [string, Json] {
  if (door === 'server') return ['destroy', args]
  return door === 'direct'
    ? ['things__destroy', args]
    : ['call_tool_destructive', { name: 'things:destroy', args }]
}

async function startTask(args: Json, door: Door = 'direct', by = token) {
  const client = clientAt(door, by)
  const task = taskOf(await client.call(...callAt(door, args)))
  return { client, taskId: task.taskId, approval: approvalOf(task) }
}

/** How often the server executed a call with these arguments. */
async function countExecuted(args: Json): Promise<number> {
  const direct = new ModernClient(gateway.endpoint(), token)
  const seen = await callsSeenBy('things', witness, mark => direct.call('things__echo', mark))
  const wanted = JSON.stringify(args)
  return seen.filter(call => call.name === 'destroy' && JSON.stringify(call.arguments) === wanted).length
}

describe('a call that waits for a person, of a client that knows tasks', () => {
  it.each(DOORS)('becomes a task at the %s surface, with the result after approval', async door => {
    const args = { id: door }
    const { client, taskId, approval } = await startTask(args, door)
    expect(await getTask(client, taskId)).toMatchObject({ status: 'input_required', inputRequests: {} })
    expect(await countExecuted(args)).toBe(0)
    await approve(gateway.site, approval)
    const over = await endOfTask(client, taskId)
    expect(over).toMatchObject({ status: 'completed', result: { resultType: 'complete' } })
    expect(JSON.stringify(over.result)).toContain('destroy')
    expect(await countExecuted(args)).toBe(1)
  })

  it('is offered when the client discovers the gateway', async () => {
    const { result } = await clientAt('direct').request('server/discover')
    expect(result).toMatchObject({ capabilities: { ...KNOWS_TASKS } })
  })

  it('is cancelled with the reason after a denial', async () => {
    const args = { id: 'denied' }
    const { client, taskId, approval } = await startTask(args)
    await decide(gateway.site, 'deny', approval, '--note', 'not today')
    const over = await endOfTask(client, taskId)
    expect(over.status).toBe('cancelled')
    expect(over.statusMessage).toContain('not today')
    expect(await countExecuted(args)).toBe(0)
  })

  it('is not made after its client cancelled it', async () => {
    const args = { id: 'cancelled' }
    const { client, taskId, approval } = await startTask(args)
    expect((await client.request('tasks/cancel', { taskId })).result).toEqual({ resultType: 'complete' })
    expect(await getTask(client, taskId)).toMatchObject({ status: 'cancelled' })
    await approve(gateway.site, approval)
    expect(await countExecuted(args)).toBe(0)
  })

  it('is not made after its token was revoked', async () => {
    const args = { id: 'revoked' }
    const { name, token: lost } = await gateway.site.namedToken({ permissions: EVERYTHING })
    const { approval } = await startTask(args, 'direct', lost)
    await gateway.site.revoke(name)
    await approve(gateway.site, approval)
    // A later call shows that the gateway has handled the approval.
    const next = await startTask({ id: 'after revoked' })
    await approve(gateway.site, next.approval)
    await endOfTask(next.client, next.taskId)
    expect(await countExecuted(args)).toBe(0)
  })

  it('is unknown to another caller, and to a token whose scope lost the tool', async () => {
    const { taskId } = await startTask({ id: 'foreign' })
    const others = [
      await gateway.site.token({ permissions: EVERYTHING }),
      await gateway.site.token({ permissions: EVERYTHING, servers: 'none' }),
    ]
    for (const other of others)
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
        const params = { taskId, inputResponses: {} }
        const { error } = await clientAt('direct', other).request(method, params)
        const unknown = await clientAt('direct', other).request(method, { ...params, taskId: 'task_none' })
        expect(error).toEqual(unknown.error)
        expect(error?.code).toBe(-32602)
      }
  })

  it("can be answered by the client's user in the task", async () => {
    const args = { id: 'by form' }
    const client = clientAt('server')
    client.capabilities = { ...KNOWS_TASKS, elicitation: {} }
    const { taskId } = taskOf(await client.call('destroy', args))
    expect(await getTask(client, taskId)).toMatchObject({
      inputRequests: { [FORM]: { params: { mode: 'form' } } },
    })
    await client.request('tasks/update', { taskId, inputResponses: { [FORM]: YES } })
    expect(await endOfTask(client, taskId)).toMatchObject({ status: 'completed' })
    expect(await countExecuted(args)).toBe(1)
  })

  it('announces its end to a client that listens', async () => {
    const { client, taskId, approval } = await startTask({ id: 'listened' })
    const stream = client.open('subscriptions/listen', { notifications: { taskIds: [taskId, 'task_none'] } })
    const { params } = await stream.until('notifications/subscriptions/acknowledged')
    expect(params).toMatchObject({ notifications: { taskIds: [taskId] } })
    await approve(gateway.site, approval)
    const isOver = (await stream.messages.until(
      message => message.method === 'notifications/tasks' && message.params?.status === 'completed',
    )) as { params?: Json }
    expect(isOver.params).toMatchObject({ taskId, result: { content: expect.any(Array) } })
    stream.close()
    const deaf = new ModernClient(gateway.endpoint(), token)
    const refused = await deaf.request('subscriptions/listen', { notifications: { taskIds: [taskId] } })
    expect(refused.error?.code).toBe(-32021)
  })

  it('has two rows in the audit log: the question, and the call that was made', async () => {
    const { client, taskId, approval } = await startTask({ id: 'recorded' })
    await approve(gateway.site, approval)
    await endOfTask(client, taskId)
    const rows = async (): Promise<Json[]> => {
      const { stdout } = await hintgate(['audit', 'query', '--json', ...gateway.site.flags])
      const { calls } = JSON.parse(stdout) as { calls: Json[] }
      return calls.filter(call => call.approval === approval)
    }
    await expect
      .poll(async () => (await rows()).map(({ outcome }) => outcome).sort())
      .toEqual(['answered', 'asked'])
  })

  it('works over stdio, and outlives its client', async () => {
    const { site } = gateway
    const flags = ['--server', 'things']
    const first = startStdioGateway(site, flags)
    const one = new StdioClient(first)
    const args = { id: 'over stdio' }
    const called = await one.modern('tools/call', { name: 'destroy', arguments: args }, KNOWS_TASKS)
    const task = taskOf(called)
    first.child.stdin?.end()
    await first.exited
    await approve(site, approvalOf(task))
    const other = new StdioClient(startStdioGateway(site, flags))
    await expect
      .poll(
        async () => (await other.modern('tasks/get', { taskId: task.taskId }, KNOWS_TASKS)).result?.status,
        {
          timeout: 20_000,
        },
      )
      .toBe('completed')
    expect(await countExecuted(args)).toBe(1)
  })

  it('survives a gateway that is killed while a person thinks', async () => {
    const args = { id: 'killed' }
    const { taskId, approval } = await startTask(args)
    await gateway.stop('SIGKILL')
    await approve(gateway.site, approval)
    gateway = await startGatewayAt(gateway.site)
    const over = await endOfTask(clientAt('direct'), taskId)
    expect(over).toMatchObject({ status: 'completed' })
    expect(await countExecuted(args)).toBe(1)
  })
})

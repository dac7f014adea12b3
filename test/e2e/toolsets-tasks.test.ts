import { afterAll, beforeAll, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { approve } from '../support/confirming.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { type Json, ModernClient } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { callsSeenBy, EVERYTHING } from '../support/search-client.ts'
import { approvalOf, endOfTask, getTask, KNOWS_TASKS, startTaskServer, taskOf } from '../support/tasks.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const SCHEMA = { type: 'object', properties: { workspace: { type: 'string' }, id: { type: 'string' } } }
const ANSWER = { result: { content: [], structuredContent: { name: 'Ada', salary: 100 } } }

/** A link that reads like an address of another server. */
const LINK = { type: 'resource_link', uri: 'hintgate://mail/inbox', name: 'Inbox' }

let witness: Witness
let gateway: Gateway
let limited: string
let free: string

const setWith = (workspace: string) => ({
  select: ['crm:*'],
  resources: ['crm'],
  overrides: { 'crm:destroy': { name: 'remove', arguments: { workspace }, keep: ['/name'] } },
})

const configWith = (toolsets: Json, crm: ScriptedServer, confirm: Json = {}) => ({
  confirm,
  mcpServers: { crm: crm.config, jobs: { url: jobs, trust: 'trusted' } },
  toolsets,
})

let crm: ScriptedServer
let jobs: string

beforeAll(async () => {
  witness = await openWitness()
  crm = new ScriptedServer('crm', witness, [
    scripted('link', { annotations: DESTROYS }, { result: { content: [LINK] } }),
    scripted('destroy', { annotations: DESTROYS, inputSchema: SCHEMA }, ANSWER),
  ])
  jobs = await startTaskServer()
  const work = {
    select: ['jobs:later', 'jobs:finish'],
    overrides: { 'jobs:later': { name: 'later', keep: ['/name'] }, 'jobs:finish': { name: 'finish' } },
  }
  gateway = await startReadyGateway(
    configWith({ support: setWith('acme'), gone: setWith('acme'), work }, crm),
  )
  free = await gateway.site.token({ permissions: EVERYTHING })
  limited = await gateway.site.token({ permissions: EVERYTHING, sets: 'support,gone,work' })
})
afterAll(cleanUp)

const clientAt = (set: string) => new ModernClient(`${gateway.url}/mcp/sets/${set}`, limited, KNOWS_TASKS)

async function executed(id: string): Promise<readonly unknown[]> {
  const direct = new ModernClient(gateway.endpoint(), free)
  const seen = await callsSeenBy('crm', witness, mark => direct.call('crm__echo', mark))
  return seen.flatMap(({ name, arguments: args }) => (name === 'destroy' && args?.id === id ? [args] : []))
}

it('a task that began in a toolset keeps its fixed arguments and its filter', async () => {
  const client = clientAt('support')
  const task = taskOf(await client.call('remove', { id: '1' }))
  await approve(gateway.site, approvalOf(task))
  const over = await endOfTask(client, task.taskId)
  expect(over).toMatchObject({ status: 'completed' })
  expect(JSON.stringify(over.result)).toContain('Ada')
  expect(JSON.stringify(over.result)).not.toContain('salary')
  expect(await executed('1')).toEqual([{ id: '1', workspace: 'acme' }])
})

it.each(['/mcp/direct', '/mcp/sets/support'])('the result of a task has the addresses of %s', async path => {
  const client = new ModernClient(
    `${gateway.url}${path}`,
    path === '/mcp/direct' ? free : limited,
    KNOWS_TASKS,
  )
  const task = taskOf(await client.call('crm__link'))
  await approve(gateway.site, approvalOf(task))
  const { result } = await endOfTask(client, task.taskId)
  expect(result).toMatchObject({ content: [{ ...LINK, uri: 'hintgate://crm/hintgate://mail/inbox' }] })
})

it('a task of a server in a toolset with a filter ends with the filtered result, without notes of the server', async () => {
  const client = clientAt('work')
  const text = JSON.stringify({ name: 'Ada', salary: 100 })
  const task = taskOf(await client.call('later', { text, note: 'a salary' }))
  const working = await getTask(client, task.taskId)
  expect(working).toMatchObject({ status: 'working' })
  await client.call('finish', { text })
  const over = await endOfTask(client, task.taskId)
  expect(over).toMatchObject({ status: 'completed', result: { content: [{ text: '{"name":"Ada"}' }] } })
  expect(JSON.stringify([task, working, over])).not.toContain('salary')
})

it('a task whose toolset was removed from the config is never made', async () => {
  const client = clientAt('gone')
  const task = taskOf(await client.call('remove', { id: '2' }))
  gateway.site.configure(configWith({ support: setWith('acme') }, crm))
  await gateway.says(/reloaded the configuration/)
  await approve(gateway.site, approvalOf(task))
  const other = clientAt('support')
  const answer = await other.request('tasks/get', { taskId: task.taskId })
  const ended = answer.result === undefined ? 'unknown' : (await endOfTask(other, task.taskId)).status
  expect(['failed', 'unknown']).toContain(ended)
  expect(await executed('2')).toEqual([])
})

it('a cancelled task of a toolset is recorded with it', async () => {
  const client = clientAt('support')
  const task = taskOf(await client.call('remove', { id: '3' }))
  await client.request('tasks/cancel', { taskId: task.taskId })
  const log = await hintgate(['audit', 'query', '--json', '--limit', '1', ...gateway.site.flags])
  const { calls } = JSON.parse(log.stdout) as { calls: readonly Json[] }
  expect(calls).toMatchObject([{ tool: 'destroy', set: 'support', outcome: 'cancelled' }])
})

it('an approved task of a toolset is made even if the rules stop asking, and is unknown once its tool has left the set', async () => {
  const client = clientAt('support')
  const task = taskOf(await client.call('remove', { id: '4' }))
  gateway.site.configure(configWith({ support: setWith('acme') }, crm, { destructive: 'never' }))
  const probe = async () => (await client.call('remove', { id: 'probe' })).result?.resultType
  await expect.poll(probe).toBe('complete')
  await approve(gateway.site, approvalOf(task))
  expect(await endOfTask(client, task.taskId)).toMatchObject({ status: 'completed' })
  expect(await executed('4')).toEqual([{ id: '4', workspace: 'acme' }])
  const without = { ...setWith('acme'), select: ['crm:echo'], overrides: {} }
  gateway.site.configure(configWith({ support: without }, crm))
  const code = async () => (await client.request('tasks/get', { taskId: task.taskId })).error?.code
  await expect.poll(code).toBe(-32602)
})

import type { AgentOptions, Task } from '@hintgate/agent'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, errorOf, textOf } from '../support/agents.ts'
import { cleanUp } from '../support/clean-up.ts'
import { approve, decide } from '../support/confirming.ts'
import { findFreePort } from '../support/free-port.ts'
import { type Gateway, readiness, Site, startGatewayAt } from '../support/gateway.ts'
import { Inbox } from '../support/inbox.ts'
import { DESTROYS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { startTaskServer } from '../support/tasks.ts'
import { openWitness } from '../support/witness.ts'

let site: Site
let gateway: Gateway
let token: string
let jobs: string
let listen: string

beforeAll(async () => {
  const witness = await openWitness()
  const things = new ScriptedServer('things', witness, [scripted('wipe', { annotations: DESTROYS })])
  jobs = await startTaskServer()
  site = new Site({
    confirm: {},
    mcpServers: { things: things.config, jobs: { url: jobs, trust: 'trusted' } },
  })
  listen = `127.0.0.1:${await findFreePort()}`
  gateway = await start()
  token = await site.token()
})
afterAll(cleanUp)

async function start(): Promise<Gateway> {
  const started = await startGatewayAt(site, {}, listen)
  await Promise.all(['things', 'jobs'].map(name => started.says(readiness(name))))
  return started
}

/** An agent that lets calls become tasks, and the states of the tasks that it saw. */
async function connectWaiting(more: Partial<AgentOptions> = {}) {
  const seen = new Inbox<Task>('the tasks')
  const servers = { gateway: { gateway: gateway.url, token } }
  const agent = await connect({ servers, onTask: task => seen.add(task), ...more })
  return { agent, seen }
}

const askedIn = ({ statusMessage = '' }: Task): string =>
  /approvals approve (\S+)/.exec(statusMessage)?.[1] ?? ''
const isAsked = (task: Task): boolean => task.status === 'input_required'

describe('an agent that lets calls become tasks', () => {
  it('gets the result once a person has approved the call elsewhere', async () => {
    const { agent, seen } = await connectWaiting()
    const called = agent.call('things:wipe', { id: 'approved' })
    await approve(site, askedIn(await seen.until(isAsked)))
    expect(textOf(await called)).toContain('wipe')
  })

  it('gets the same error as without tasks when a person denies the call', async () => {
    const { agent, seen } = await connectWaiting()
    const called = errorOf(agent.call('things:wipe', { id: 'denied' }))
    await decide(site, 'deny', askedIn(await seen.until(isAsked)))
    expect(await called).toMatchObject({ code: 'confirmation_denied' })
  })

  it('goes on waiting while the gateway restarts', async () => {
    const { agent, seen } = await connectWaiting()
    const called = agent.call('things:wipe', { id: 'restarted' })
    const asked = askedIn(await seen.until(isAsked))
    await gateway.stop('SIGKILL')
    gateway = await start()
    await approve(site, asked)
    expect(textOf(await called)).toContain('wipe')
  })

  it('cancels the task with the call', async () => {
    const { agent, seen } = await connectWaiting()
    const stop = new AbortController()
    const called = errorOf(agent.call('things:wipe', { id: 'cancelled' }, { signal: stop.signal }))
    const task = await seen.until(isAsked)
    stop.abort()
    expect(await called).toMatchObject({ code: 'cancelled' })
    const { agent: other, seen: again } = await connectWaiting()
    // The approval no longer belongs to an open call, so an identical call waits for the same one.
    const repeated = errorOf(other.call('things:wipe', { id: 'cancelled' }))
    const next = await again.until(isAsked)
    expect(next.taskId).not.toBe(task.taskId)
    expect(askedIn(next)).toBe(askedIn(task))
    await decide(site, 'deny', askedIn(next))
    await repeated
  })

  it("waits for a server's own task, directly and through the gateway", async () => {
    const { agent } = await connectWaiting()
    const args = { seconds: 0.2, label: 'slowly' }
    expect(textOf(await agent.call('jobs:slow_compute', args))).toBe('computed slowly')
    const { agent: direct, seen } = await connectWaiting({
      servers: { jobs: { url: jobs, trust: 'trusted' } },
    })
    expect(textOf(await direct.call('jobs:slow_compute', args))).toBe('computed slowly')
    await seen.until(({ status }) => status === 'completed')
  })

  it('answers the questions of a task through its callbacks', async () => {
    const { agent } = await connectWaiting({ elicit: () => ({ action: 'accept', content: { name: 'yes' } }) })
    expect(textOf(await agent.call('jobs:confirm_delete', { filename: 'a.txt' }))).toBe('a.txt: accept')
    const { agent: confirming } = await connectWaiting({ confirm: () => true })
    expect(textOf(await confirming.call('things:wipe', { id: 'by callback' }))).toContain('wipe')
  })
})

it('an agent without the option gets no tasks', async () => {
  const agent = await connect({ servers: { gateway: { gateway: gateway.url, token } } })
  expect(await errorOf(agent.call('things:wipe', { id: 'plain' }))).toMatchObject({
    code: 'confirmation_required',
  })
  expect(textOf(await agent.call('jobs:slow_compute', { seconds: 0.1, label: 'now' }))).toBe('computed now')
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NotifyConfig } from '../config/build-notify.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import { openStore } from '../store/open/open-store.ts'
import type { Store } from '../store/store.ts'
import type { Channel } from './message/channel.ts'
import { Notifier } from './notifier.ts'

let folder: string
const open: { close(): Promise<void> }[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hintgate-notify-'))
})
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
  rmSync(folder, { recursive: true })
})

const SHOWN = JSON.stringify({
  agent: 'bot',
  server: 'crm',
  tool: 'delete_contact',
  title: 'Delete contact',
  action: 'Delete contact',
  variant: 'call_tool_destructive',
  arguments: {},
  hints: {},
  reasons: [],
  session_risk: { level: 'none', riskFactors: [] },
  remember: [],
  standing: {},
})

const approval = (id: string, createdAt: number): StoredApproval => ({
  id,
  principal: 'agent:bot',
  session: 'agent:bot/1',
  tool: 'crm:delete_contact',
  binding: id,
  channel: 'person',
  shown: SHOWN,
  state: 'pending',
  createdAt,
  expiresAt: createdAt + 600_000,
})

const CONFIG = { type: 'webhook', name: 'ops' } as NotifyConfig
const START = 1_000_000

/** Starts one gateway with a channel whose behaviour the test defines. */
async function startGateway(now: () => number, announce: (id: string) => Promise<void>) {
  const store: Store = await openStore(`sqlite:${join(folder, 'store.db')}`)
  open.push(store)
  const channel: Channel = {
    key: 'ops',
    filter: {},
    afterMs: 0,
    retry: { attempts: 3, delayMs: 1, maxDelayMs: 2 },
    announce: async ({ id }) => {
      await announce(id)
      return undefined
    },
  }
  const errors: unknown[] = []
  const notifier = new Notifier({
    approvals: store.approvals,
    notifications: store.notifications,
    publicUrl: () => '',
    createChannels: async () => [channel],
    now,
    random: () => 0,
    say: () => {},
    onError: error => errors.push(error),
  })
  open.push(notifier)
  notifier.configure([CONFIG])
  return { store, notifier, errors }
}

const never = (): Promise<void> => new Promise(() => {})

describe('several gateways on one store', () => {
  it('send one message about each approval', async () => {
    const told: string[] = []
    const tell = async (id: string): Promise<void> => void told.push(id)
    const gateways = [await startGateway(() => START, tell), await startGateway(() => START, tell)]
    const ids = Array.from({ length: 20 }, (_, at) => `ap_${at}`)
    for (const id of ids) await gateways[0]?.store.approvals.insert(approval(id, START))
    for (const { notifier } of gateways) notifier.look()
    await expect.poll(() => told.length).toBe(20)
    for (const { notifier } of gateways) notifier.look()
    for (const { notifier, errors } of gateways) {
      await notifier.close()
      expect(errors).toEqual([])
    }
    expect(told.toSorted()).toEqual(ids.toSorted())
  })

  it('take over, after a minute, from a gateway that was killed while sending', async () => {
    let now = START
    const killed = await startGateway(() => now, never)
    await killed.store.approvals.insert(approval('ap_1', START))
    killed.notifier.asked(approval('ap_1', START))
    await expect.poll(async () => (await killed.store.notifications.list('ap_1')).length).toBe(1)
    const told: string[] = []
    const tell = async (id: string): Promise<void> => void told.push(id)
    now = START + 59_000
    const early = await startGateway(() => now, tell)
    await early.notifier.close()
    expect(told).toEqual([])
    now = START + 61_000
    await startGateway(() => now, tell)
    await expect.poll(() => told).toEqual(['ap_1'])
  })

  it('take over immediately from a gateway that was stopped properly', async () => {
    const stopped = await startGateway(() => START, never)
    await stopped.store.approvals.insert(approval('ap_1', START))
    stopped.notifier.asked(approval('ap_1', START))
    await expect.poll(async () => (await stopped.store.notifications.list('ap_1')).length).toBe(1)
    await stopped.notifier.close()
    const told: string[] = []
    await startGateway(
      () => START,
      async id => void told.push(id),
    )
    await expect.poll(() => told).toEqual(['ap_1'])
  })
})

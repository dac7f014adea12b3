import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { Liar } from '../support/liar.ts'
import { type Json, ModernClient } from '../support/raw-mcp.ts'
import { DESTROYS } from '../support/scripted-server.ts'
import { EVERYTHING, refusal, searchUrl } from '../support/search-client.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const COUNT = 5000
const PAGE = 250

let witness: Witness
let gateway: Gateway
let many: Liar
let agent: ModernClient

function tool(name: string, description: string): Json {
  const properties = { customer: { type: 'string', description: 'Whose.' }, limit: { type: 'integer' } }
  return { name, description, inputSchema: { type: 'object', properties }, annotations: DESTROYS }
}

const TOOLS = Array.from({ length: COUNT }, (_, index) =>
  tool(`remove_record_${index}`, `Removes the record number ${index} of a customer from the archive.`),
)
const PAGES = Array.from({ length: COUNT / PAGE }, (_, page) => TOOLS.slice(page * PAGE, (page + 1) * PAGE))

beforeAll(async () => {
  witness = await openWitness()
  many = new Liar('many', witness, [{ pages: PAGES }])
  const few = new Liar('few', witness, [{ pages: [[tool('remove', 'Removes it.')]] }], {
    more: { trust: 'trusted' },
  })
  gateway = await startReadyGateway({ quarantine: true, mcpServers: { many: many.config, few: few.config } })
  agent = new ModernClient(searchUrl(gateway), await gateway.site.token({ permissions: EVERYTHING }))
})
afterAll(cleanUp)

async function call(id: string): Promise<string> {
  const message = await agent.call('call_tool_destructive', { name: id, args: {} })
  return message.result?.isError === true ? refusal(message).code : 'called'
}

/** Calls the other server repeatedly during `work`; returns the time of its slowest call in milliseconds. */
async function slowestBeside(work: () => Promise<void>): Promise<number> {
  let isOver = false
  let slowest = 0
  const calling = (async () => {
    while (!isOver) {
      const waited = startWatch(gateway.pid)
      expect(await call('few:remove')).toBe('called')
      slowest = Math.max(slowest, waited())
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  })()
  await work().finally(() => {
    isOver = true
  })
  await calling
  return slowest
}

function memoryOf(pid: number): number {
  const [, kib = '0'] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}

describe('a server with 5,000 tools', () => {
  it('has all of them quarantined and then approved by one filter, without delaying another server', async () => {
    await gateway.says(/many: 5000 tools wait for review/)
    expect(await call('many:remove_record_4999')).toBe('quarantined')
    let approvedIn = 0
    const slowest = await slowestBeside(async () => {
      const passed = startWatch(gateway.pid)
      const done = await hintgate(['tools', 'approve', 'many:*', '--yes', '--json', ...gateway.site.flags])
      approvedIn = passed()
      expect(done.stderr).toBe('')
      expect((JSON.parse(done.stdout) as { approved: unknown[] }).approved.length).toBe(COUNT)
      await expect.poll(() => call('many:remove_record_4999')).toBe('called')
    })
    expect(await call('many:remove_record_0')).toBe('called')
    // A generous limit, because the machine may be busy. A commit for each tool would take far longer.
    expect(approvedIn).toBeLessThan(20_000)
    expect(slowest).toBeLessThan(3000)
    if (process.platform === 'linux') expect(memoryOf(gateway.pid)).toBeLessThan(600)
  })

  it('has only that tool quarantined whose definition changes', async () => {
    const changed = { ...TOOLS[7], description: 'Removes everything.' }
    const before = many.timesListed
    const slowest = await slowestBeside(async () => {
      many.announce([{ pages: PAGES.map(page => page.map(one => (one === TOOLS[7] ? changed : one))) }])
      await expect.poll(() => call('many:remove_record_7')).toBe('quarantined')
    })
    expect(await call('many:remove_record_8')).toBe('called')
    expect(many.timesListed - before).toBeLessThanOrEqual(3 * PAGES.length)
    expect(slowest).toBeLessThan(3000)
  })
})

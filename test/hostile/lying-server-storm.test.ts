import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { Liar } from '../support/liar.ts'
import { type Json, ModernClient } from '../support/raw-mcp.ts'
import { DESTROYS } from '../support/scripted-server.ts'
import { EVERYTHING, refusal, searchUrl } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

/** 10,000 changes a minute. */
const STORM = { count: 667, ms: 4000 }

let witness: Witness
let gateway: Gateway
let liar: Liar
let agent: ModernClient

function tool(name: string, description = `The tool ${name}.`): Json {
  return { name, description, inputSchema: { type: 'object' }, annotations: DESTROYS }
}

beforeAll(async () => {
  witness = await openWitness()
  liar = new Liar('stormy', witness, [{ pages: [[tool('storm'), tool('drop')]] }], {
    more: { trust: 'trusted' },
  })
  gateway = await startReadyGateway({ quarantine: true, mcpServers: { stormy: liar.config } })
  agent = new ModernClient(searchUrl(gateway), await gateway.site.token({ permissions: EVERYTHING }))
})
afterAll(cleanUp)

async function call(name: string, args: Json = {}): Promise<string> {
  const message = await agent.call('call_tool_destructive', { name: `stormy:${name}`, args })
  return message.result?.isError === true ? refusal(message).code : 'called'
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** The CPU time of a process in seconds: utime and stime, in ticks of a hundredth. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

describe('a server that announces 10,000 changes a minute', () => {
  it('is asked for its list a few times, costs little CPU time, and its tools can be called meanwhile', async () => {
    await expect.poll(() => call('drop')).toBe('called')
    await pause(1000)
    const [listed, used] = [liar.timesListed, cpuOf(gateway.pid)]
    expect(await call('storm', STORM)).toBe('called')
    await pause(STORM.ms)
    expect(await call('drop')).toBe('called')
    // Asking twice a second would be eight requests.
    expect(liar.timesListed - listed).toBeLessThanOrEqual(10)
    expect(liar.timesListed - listed).toBeGreaterThanOrEqual(2)
    // The exact figure is measured by the bench (--only storm); this limit is generous because other tests run at the
    // same time.
    if (process.platform === 'linux') expect(cpuOf(gateway.pid) - used).toBeLessThan(0.25 * (STORM.ms / 1000))
  })

  it('has a tool quarantined that changes afterwards', async () => {
    expect(await call('storm', STORM)).toBe('called')
    await pause(500)
    liar.say([{ pages: [[tool('storm'), tool('drop', 'Poison.')]] }])
    await expect.poll(() => call('drop')).toBe('quarantined')
    expect(await call('storm', { count: 0 })).toBe('called')
  })
})

// The cost of a server that announces 10,000 list changes a minute without changing anything.
import { fileURLToPath } from 'node:url'
import { readUsage } from './process-usage.ts'
import { startGateway } from './start-gateway.ts'

const PER_MINUTE = 10_000
const SETTLE_MS = 6000
const MEASURED_MS = 8000
const UPSTREAM = fileURLToPath(new URL('./upstream-stdio.js', import.meta.url))

export interface StormFigures {
  /** Percent of one core during the storm, minus that of the same gateway without it. */
  readonly percentOf10Tools: number
  readonly percentOf1000Tools: number
}

export async function measureStorm(): Promise<StormFigures> {
  return { percentOf10Tools: await costOf(10), percentOf1000Tools: await costOf(1000) }
}

async function costOf(tools: number): Promise<number> {
  return (await measureCpu(tools, PER_MINUTE)) - (await measureCpu(tools, 0))
}

async function measureCpu(tools: number, perMinute: number): Promise<number> {
  const args = [UPSTREAM, 'legacy', String(tools), String(perMinute)]
  const gateway = await startGateway({
    mcpServers: { up0: { command: process.execPath, args, trust: 'trusted' } },
  })
  try {
    await pause(SETTLE_MS)
    const [before, startedAt] = [readUsage(gateway.pid).cpuMicros, performance.now()]
    await pause(MEASURED_MS)
    const used = (readUsage(gateway.pid).cpuMicros - before) / 1000
    return (100 * used) / (performance.now() - startedAt)
  } finally {
    await gateway.stop()
  }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

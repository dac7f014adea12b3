import { startGateway } from './start-gateway.ts'
import { median } from './statistics.ts'

const STARTS = 5

/** From process start until it listens, without any server. */
export async function measureStartTime(): Promise<number> {
  const times: number[] = []
  for (let start = 0; start < STARTS; start++) {
    const gateway = await startGateway({ mcpServers: {} })
    times.push(gateway.startedInMs)
    await gateway.stop()
  }
  return median(times)
}

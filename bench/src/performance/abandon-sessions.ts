// Clients that connect, make one call and disappear without a DELETE.
import { expectText, nameTool } from './answers.ts'
import type { Outcome, Target } from './load.ts'
import { openConnection } from './open-connection.ts'
import { writeCall } from './requests.ts'

const AT_ONCE = 16

export async function abandonSessions(target: Target, sessions: number): Promise<Outcome> {
  const latencies: number[] = []
  const wrong: string[] = []
  const startedAt = performance.now()
  let left = sessions

  async function work(): Promise<void> {
    while (left-- > 0 && wrong.length < 20) {
      const openedAt = performance.now()
      try {
        await useOnce(target)
        latencies.push((performance.now() - openedAt) * 1000)
      } catch (error) {
        wrong.push(error instanceof Error ? error.message : String(error))
      }
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const milliseconds = performance.now() - startedAt
  const first = wrong[0] === undefined ? {} : { firstWrong: wrong[0] }
  const calls = latencies.length + wrong.length
  return { calls, milliseconds, latencies: Float64Array.from(latencies), wrong: wrong.length, ...first }
}

async function useOnce(target: Target): Promise<void> {
  const connection = await openConnection(target, 'legacy', 1)
  const call = { tool: nameTool(0), nonce: 'once', kb: 0.1 } as const
  const body = writeCall('legacy', 1, call)
  try {
    const text = await connection.send({ id: 1, method: 'tools/call', tool: call.tool, body })
    if (!text.includes(expectText(call.nonce, call.kb)))
      throw new Error(`Unexpected answer: ${text.slice(0, 200)}`)
  } finally {
    connection.drop()
  }
}

// Audit entries of calls, without the calls themselves.
import type { Recorder } from './audit-parts.ts'

const AT_ONCE = 64
const PAUSE_AFTER = 500
const AGENTS = 50

/** Each with a durable intent and a durable outcome. */
export async function recordWrites(recorder: Recorder, count: number): Promise<void> {
  let left = count
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const call = nextCall('call_tool_write', Date.now())
      await recorder.intent(call)
      await new Promise(setImmediate)
      await recorder.outcome(endOf(call))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Written in long batches without waiting for durability, which is the cheapest way to write many rows. */
export async function recordReads(recorder: Recorder, count: number, at = () => Date.now()): Promise<void> {
  for (let index = 0; index < count; index++) {
    const call = nextCall('call_tool_read', at())
    void recorder.intent(call)
    void recorder.outcome(endOf(call))
    if (index % PAUSE_AFTER === 0) await new Promise(resolve => setTimeout(resolve, 10))
  }
}

let number = 0

function nextCall(variant: string, at: number): object {
  number += 1
  return {
    requestId: `bench-${number.toString(36)}`,
    at,
    principal: `agent:bot${number % AGENTS}`,
    session: 'bench',
    door: 'search',
    server: 'crm',
    tool: 'update_contact',
    typed: 'crm:update_contact',
    known: {
      variant,
      fingerprint: 'f'.repeat(64),
      hints: 'readOnly-default destructive+declared',
      title: 'Update contact',
    },
    arguments: { id: number, name: 'Ada Lovelace', note: 'x'.repeat(120) },
    verdict: 'allow',
    reasons: [],
  }
}

function endOf(call: object): object {
  return { call, outcome: 'answered', attempts: 1, durationMs: 3, resultBytes: 300 }
}

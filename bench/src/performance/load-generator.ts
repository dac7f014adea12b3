// The load generator's process: runs jobs from IPC one at a time, in its own process, so that its own work is not
// measured.
import { abandonSessions } from './abandon-sessions.ts'
import { nameTool } from './answers.ts'
import { generateLoad } from './generate-load.ts'
import type { Order, Outcome } from './load.ts'
import { openConnection } from './open-connection.ts'
import { writeCall } from './requests.ts'

const NOTHING: Outcome = { calls: 0, milliseconds: 0, latencies: new Float64Array(), wrong: 0 }

let pestering = 0

process.on('message', (order: Order) => {
  carryOut(order).then(
    outcome => process.send?.(outcome),
    error => {
      const firstWrong = error instanceof Error ? error.message : String(error)
      process.send?.({ ...NOTHING, wrong: 1, firstWrong })
    },
  )
})
process.on('disconnect', () => process.exit())

function carryOut(order: Order): Promise<Outcome> {
  switch (order.kind) {
    case 'load':
      return generateLoad(order.load)
    case 'abandon':
      return abandonSessions(order.target, order.sessions)
    case 'pester':
      return pester(order)
    case 'count-pestering':
      return Promise.resolve({ ...NOTHING, calls: pestering })
  }
}

/** Returns at once; its calls stay open until they time out. */
async function pester({ target, era, calls }: Order & { kind: 'pester' }): Promise<Outcome> {
  const connection = await openConnection(target, era, calls)
  const tool = nameTool(0)
  const pending = Array.from({ length: calls }, (_, id) => {
    const body = writeCall(era, id, { tool, nonce: `p${id}`, kb: 0.1 })
    pestering++
    const done = (): void => void pestering--
    return connection.send({ id, method: 'tools/call', tool, body }).then(done, done)
  })
  void Promise.all(pending).then(() => connection.close())
  return { ...NOTHING, calls }
}

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Order, Outcome } from './load.ts'

export interface LoadProcess {
  /** One order at a time. */
  readonly order: (order: Order) => Promise<Outcome>
  readonly stop: () => void
}

export function startLoadProcess(): LoadProcess {
  const program = fileURLToPath(new URL('./load-generator.js', import.meta.url))
  const child = fork(program, { serialization: 'advanced' })
  return {
    order: order =>
      new Promise((resolve, reject) => {
        const fail = (): void => reject(new Error('The load generator exited.'))
        child.once('exit', fail)
        child.once('message', outcome => {
          child.off('exit', fail)
          resolve(outcome as Outcome)
        })
        child.send(order)
      }),
    stop: () => child.disconnect(),
  }
}

import { vi } from 'vitest'
import type { Gateway } from '../support/gateway.ts'

/** A generous timeout, because other tests run at the same time on the machine. */
export const PATIENCE_MS = 180_000

/** Waits for a line on the gateway's standard error, past or future. */
export function waitForLine({ stderr, pid }: Gateway, pattern: RegExp): Promise<string> {
  const find = (): string => {
    const found = stderr.items.find(line => pattern.test(line))
    if (found === undefined) throw new Error(`the gateway (${pid}) has not said ${pattern} yet`)
    return found
  }
  return vi.waitFor(find, { timeout: PATIENCE_MS, interval: 200 })
}

/** Stops the gateway and returns its exit code. */
export function stop({ child, exited }: Gateway): Promise<number | null> {
  child.kill('SIGTERM')
  return exited
}

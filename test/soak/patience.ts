import { vi } from 'vitest'
import type { Gateway } from '../support/gateway.ts'

/** Other tests run at the same time: whoever waits here waits for something that comes, however slow the machine is. */
export const PATIENCE_MS = 180_000

/** A line that the gateway writes to its standard error, or has written. */
export function waitForLine({ stderr, pid }: Gateway, pattern: RegExp): Promise<string> {
  const find = (): string => {
    const found = stderr.items.find(line => pattern.test(line))
    if (found === undefined) throw new Error(`the gateway (${pid}) has not said ${pattern} yet`)
    return found
  }
  return vi.waitFor(find, { timeout: PATIENCE_MS, interval: 200 })
}

/** Ends the gateway, and says with which code. */
export function stop({ child, exited }: Gateway): Promise<number | null> {
  child.kill('SIGTERM')
  return exited
}

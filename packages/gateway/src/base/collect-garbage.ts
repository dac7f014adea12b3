import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Makes V8 collect short-lived objects on the main thread. By default V8 wakes helper threads for this many times a
 * second; a call leaves so little garbage that waking them takes longer than collecting it.
 */
export function collectOnMainThread(): void {
  setFlagsFromString('--no-parallel-scavenge')
}

let collect: (() => void) | undefined

/**
 * Runs a full garbage collection. V8 runs one by itself only when memory is short or the process is idle; a gateway
 * with constant light traffic would keep thousands of ended sessions in memory for hours. It takes tens of
 * milliseconds, so call it only after much has ended together.
 */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  collect()
}

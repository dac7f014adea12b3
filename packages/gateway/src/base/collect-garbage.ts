import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Makes V8 collect short-lived objects on the main thread. By default, V8 wakes helper threads to collect them, many
 * times a second. Calls leave so little garbage that waking the threads takes longer than collecting it.
 */
export function collectOnMainThread(): void {
  setFlagsFromString('--no-parallel-scavenge')
}

let collect: (() => void) | undefined

/**
 * Runs a full garbage collection. By itself, V8 runs one only when memory is short or the process is idle, so a gateway
 * with constant light traffic would keep thousands of ended sessions in memory for hours. A collection takes tens of
 * milliseconds, so call this only after many things have ended together.
 */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  collect()
}

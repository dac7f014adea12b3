import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Makes V8 collect short-lived objects on the main thread. By default it uses helper threads, many times a second; a
 * call leaves so little behind that waking them takes longer than the work.
 */
export function collectOnMainThread(): void {
  setFlagsFromString('--no-parallel-scavenge')
}

let collect: (() => void) | undefined

/**
 * Runs a full garbage collection. V8 does so by itself only when memory is short or the process is idle; a gateway
 * with constant light traffic would keep thousands of ended sessions in memory for hours. It takes tens of
 * milliseconds, so call it only when much has ended at once.
 */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  collect()
}

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Has V8 collect what lives shortly by itself. It would call helpers for that, many times a second; what calls leave behind is
 * so little that calling them takes longer than the work.
 */
export function collectAlone(): void {
  setFlagsFromString('--no-parallel-scavenge')
}

let collect: (() => void) | undefined

/**
 * Makes V8 look for what nobody needs any more, everywhere. By itself it does so when memory is short or nothing happens for
 * a while; a gateway with a little to do at all times would keep what thousands of ended sessions left behind for hours.
 * It takes tens of milliseconds, so it is only for moments when much has ended at once.
 */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  collect()
}

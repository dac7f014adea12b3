import type { Surface } from '../exchange/surface.ts'
import { explainFault } from '../inbound/wire/explain-fault.ts'

/** Wraps a surface: an internal error is logged, and the client is told only that there was one. */
export function guardSurface(
  surface: Surface,
  onError: (error: unknown, requestId: string) => void,
): Surface {
  return {
    describe: caller => surface.describe(caller),
    handle: exchange =>
      surface.handle(exchange).catch((error: unknown) => {
        onError(error, exchange.requestId)
        return { error: explainFault(error).error }
      }),
    receive: (caller, notification) => surface.receive(caller, notification),
    watch: (caller, onNotification) => surface.watch(caller, onNotification),
    admit: wanted =>
      surface.admit(wanted).catch((error: unknown) => {
        onError(error, wanted.requestId)
        return explainFault(error).error
      }),
    watchResources: (caller, uris) => surface.watchResources(caller, uris),
    watchTasks: (caller, ids, onNotification) => surface.watchTasks(caller, ids, onNotification),
    checkParamHeaders: (caller, params, request) => surface.checkParamHeaders(caller, params, request),
    release: caller => surface.release(caller),
  }
}

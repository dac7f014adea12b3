import type { Surface } from '../../exchange/surface.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { TASKS } from '../../protocol/tasks.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { Address } from '../../tasks/view-task.ts'

const METHODS = new Set(['tasks/get', 'tasks/update', 'tasks/cancel'])

/**
 * Adds tasks to a surface, for clients of the modern era. At an endpoint with many servers, `address` replaces the
 * servers' URIs in results; otherwise a server could write the address of another one.
 */
export function withTasks(
  surface: Omit<Surface, 'watchTasks'>,
  tasks: Pick<Tasks, 'answer' | 'watch'>,
  address?: Address,
): Surface {
  return {
    async describe(caller) {
      const description = await surface.describe(caller)
      if ('code' in description || caller.era === 'legacy') return description
      return { ...description, capabilities: offerTasks(description.capabilities) }
    },
    handle: exchange =>
      exchange.caller.era === 'modern' && METHODS.has(exchange.method)
        ? tasks.answer(exchange, address)
        : surface.handle(exchange),
    receive: (caller, notification) => surface.receive(caller, notification),
    watch: (caller, onNotification) => surface.watch(caller, onNotification),
    admit: wanted => surface.admit(wanted),
    watchResources: (caller, uris) => surface.watchResources(caller, uris),
    watchTasks: (caller, ids, onNotification) => tasks.watch(caller, ids, onNotification, address),
    checkParamHeaders: (caller, params, request) => surface.checkParamHeaders(caller, params, request),
    release: caller => surface.release(caller),
  }
}

function offerTasks(capabilities: Json): Json {
  const { extensions } = capabilities
  return { ...capabilities, extensions: { ...(isJsonObject(extensions) ? extensions : {}), [TASKS]: {} } }
}

import { isJsonObject, type Json } from './messages.ts'
import { META } from './modern.ts'

/** Methods whose results carry a cache lifetime in the modern era. */
const CACHEABLE = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
])

export function toModernResult(method: string, result: Json, serverInfo: unknown): Json {
  const meta = isJsonObject(result._meta) ? result._meta : {}
  return {
    ...result,
    resultType: result.resultType ?? 'complete',
    ...(CACHEABLE.has(method)
      ? { ttlMs: result.ttlMs ?? 0, cacheScope: result.cacheScope ?? 'private' }
      : {}),
    ...(serverInfo === undefined ? {} : { _meta: { ...meta, [META.serverInfo]: serverInfo } }),
  }
}

/** Returns a modern server's result without the members that only modern clients know. */
export function toLegacyResult(result: Json): Json {
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...rest } = result
  if (!isJsonObject(rest._meta) || !(META.serverInfo in rest._meta)) return rest
  const { [META.serverInfo]: _info, ...meta } = rest._meta
  const { _meta, ...bare } = rest
  return Object.keys(meta).length === 0 ? bare : { ...bare, _meta: meta }
}

export function isInputRequired(result: Json | undefined): boolean {
  return result?.resultType === 'input_required'
}

/**
 * Removes a request for a task of revision 2025-11-25 from a call. Hintgate supports tasks only in their final form, in
 * which the server decides whether it makes one.
 */
export function plainCall(params: Json, name: string): Json {
  if (params.task === undefined) return params.name === name ? params : { ...params, name }
  const { task: _task, ...rest } = params
  return { ...rest, name }
}

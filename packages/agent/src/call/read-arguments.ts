import { AgentError } from '../errors.ts'
import { isJsonObject, type Json } from '../json.ts'

/** Copies the arguments to plain JSON, which other code cannot change. */
export function readArguments(tool: string, given: unknown): Json {
  const copy = copyJson(tool, given ?? {})
  if (isJsonObject(copy)) return copy
  throw new AgentError('invalid_arguments', `The arguments of ${tool} are not an object`, { tool })
}

function copyJson(tool: string, given: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(given, refuseOdd))
  } catch (cause) {
    throw new AgentError('invalid_arguments', `The arguments of ${tool} are not JSON`, { tool, cause })
  }
}

/** Rejects values that `JSON.stringify` would silently drop or turn into null. */
function refuseOdd(key: string, value: unknown): unknown {
  const isOdd =
    (typeof value === 'number' && !Number.isFinite(value)) ||
    typeof value === 'function' ||
    typeof value === 'symbol'
  if (isOdd) throw new TypeError(`${key === '' ? 'the value' : JSON.stringify(key)} is ${String(value)}`)
  return value
}

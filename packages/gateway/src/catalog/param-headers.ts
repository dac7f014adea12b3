import { isJsonObject, type Json } from '../protocol/messages.ts'
import { encodeHeader } from '../protocol/modern.ts'
import { exactDigits } from '../protocol/parse-json.ts'

/** The path of an argument that is also sent in an `Mcp-Param-*` header, and the header's name. */
export interface ParamHeader {
  readonly name: string
  readonly path: readonly string[]
}

const MAX_DEPTH = 10
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/

/** Finds `x-mcp-header` on the properties of an input schema. */
export function findParamHeaders(schema: unknown, path: readonly string[] = []): readonly ParamHeader[] {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties) || path.length >= MAX_DEPTH) return []
  return Object.entries(schema.properties).flatMap(([key, property]) => {
    if (!isJsonObject(property)) return []
    const name = property['x-mcp-header']
    const own = typeof name === 'string' && TOKEN.test(name) ? [{ name, path: [...path, key] }] : []
    return [...own, ...findParamHeaders(property, [...path, key])]
  })
}

/** Writes the headers for a call's arguments. Missing, null and non-scalar arguments have no header. */
export function writeParamHeaders(
  headers: readonly ParamHeader[],
  args: unknown,
): Record<string, string> | undefined {
  if (headers.length === 0) return undefined
  const written = headers.flatMap(({ name, path }) => {
    const text = scalarText(
      path.reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : undefined), args),
    )
    return text === undefined ? [] : [[`mcp-param-${name.toLowerCase()}`, encodeHeader(text)] as const]
  })
  return Object.fromEntries(written)
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return exactDigits(value) ?? value
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'number' &&
    (Number.isSafeInteger(value) || !Number.isInteger(value)) &&
    Number.isFinite(value)
    ? String(value)
    : undefined
}

/** True if all of a tool's headers can be written correctly, as a modern HTTP client requires of a tool. */
export function hasValidParamHeaders(schema: unknown): boolean {
  const declared = collect(schema, [])
  if (declared === undefined) return false
  const names = declared.map(name => name.toLowerCase())
  return new Set(names).size === names.length
}

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['default', 'const', 'enum', 'examples'])
const HEADER_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

function collect(schema: unknown, found: string[], isReachable = true): string[] | undefined {
  if (Array.isArray(schema))
    return schema.every(item => collect(item, found, false) !== undefined) ? found : undefined
  if (!isJsonObject(schema)) return found
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'x-mcp-header') return undefined // only a property of the arguments can be sent in a header
    if (DATA.has(key)) continue
    const isFine =
      key === 'properties' && isJsonObject(value)
        ? collectProperties(value, found, isReachable)
        : collect(value, found, false) !== undefined
    if (!isFine) return undefined
  }
  return found
}

function collectProperties(properties: Json, found: string[], isReachable: boolean): boolean {
  return Object.values(properties).every(property => {
    if (!isJsonObject(property)) return true
    const { 'x-mcp-header': name, ...rest } = property
    if (name !== undefined) {
      const isValid =
        isReachable && typeof name === 'string' && TOKEN.test(name) && HEADER_TYPES.has(property.type)
      if (!isValid) return false
      found.push(name)
    }
    return collect(rest, found, isReachable) !== undefined
  })
}

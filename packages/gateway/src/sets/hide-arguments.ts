import { isJsonObject, type Json } from '../protocol/messages.ts'

/** Keywords whose schemas apply to the same object. */
const LISTS = ['allOf', 'anyOf', 'oneOf'] as const
const SINGLE = ['if', 'then', 'else', 'not'] as const
/** Keywords that list members by the name of another member. */
const DEPENDING = ['dependentRequired', 'dependentSchemas', 'dependencies'] as const
/** Keywords with whole values of the object, which can contain the hidden members. */
const SAMPLES = ['examples', 'example', 'default', 'const', 'enum'] as const

/** The depth up to which combined schemas are searched. A reviewed schema is not deeper. */
const MAX_DEPTH = 8

/**
 * Returns an input schema without some of its members: without their properties, without demands for them, and without
 * definitions that nothing else uses.
 *
 * @example
 * hideArguments({ properties: { a: {}, b: {} }, required: ['a', 'b'] }, ['b']) // => { properties: { a: {} }, required: ['a'] }
 */
export function hideArguments(schema: unknown, names: readonly string[]): unknown {
  if (!isJsonObject(schema) || names.length === 0) return schema
  return withoutUnused(without(schema, new Set(names), MAX_DEPTH))
}

function without(schema: Json, hidden: ReadonlySet<string>, depth: number): Json {
  const change = (part: unknown): unknown =>
    isJsonObject(part) && depth > 0 ? without(part, hidden, depth - 1) : part
  const changed = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (SAMPLES.some(one => one === key)) return mentions(value, hidden) ? [] : [[key, value]]
    if (key === 'properties' && isJsonObject(value)) return [[key, omit(value, hidden)]]
    if (key === 'required' && Array.isArray(value)) return listed(key, omitItems(value, hidden))
    if (DEPENDING.some(one => one === key) && isJsonObject(value))
      return [[key, depending(value, hidden, change)]]
    if (LISTS.some(one => one === key) && Array.isArray(value)) return [[key, value.map(change)]]
    return [[key, SINGLE.some(one => one === key) ? change(value) : value]]
  })
  return Object.fromEntries(changed)
}

function listed(key: string, items: readonly unknown[]): [string, unknown][] {
  return items.length === 0 ? [] : [[key, items]]
}

function omit(members: Json, hidden: ReadonlySet<string>): Json {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !hidden.has(name)))
}

function omitItems(items: readonly unknown[], hidden: ReadonlySet<string>): readonly unknown[] {
  return items.filter(item => typeof item !== 'string' || !hidden.has(item))
}

function depending(members: Json, hidden: ReadonlySet<string>, change: (part: unknown) => unknown): Json {
  const kept = Object.entries(omit(members, hidden))
  return Object.fromEntries(
    kept.map(([name, value]) => [name, Array.isArray(value) ? omitItems(value, hidden) : change(value)]),
  )
}

/** Whether a sample value, or a value in a list of samples, has a hidden member. */
function mentions(value: unknown, hidden: ReadonlySet<string>): boolean {
  const samples = Array.isArray(value) ? value : [value]
  return samples.some(sample => isJsonObject(sample) && Object.keys(sample).some(key => hidden.has(key)))
}

const DEFINITIONS = ['$defs', 'definitions'] as const

/** Removes definitions to which nothing refers any more. Those that others refer to are removed in later rounds. */
function withoutUnused(schema: Json): Json {
  let current = schema
  for (let round = 0; round < MAX_DEPTH; round += 1) {
    const next = withoutUnusedOnce(current)
    if (next === current) return current
    current = next
  }
  return current
}

function withoutUnusedOnce(schema: Json): Json {
  for (const key of DEFINITIONS) {
    const { [key]: definitions, ...rest } = schema
    if (!isJsonObject(definitions)) continue
    const unused = Object.keys(definitions).find(name => {
      const { [name]: _own, ...others } = definitions
      return !refersTo([rest, others], `#/${key}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    })
    if (unused === undefined) continue
    const { [unused]: _unused, ...kept } = definitions
    return Object.keys(kept).length === 0 ? rest : { ...schema, [key]: kept }
  }
  return schema
}

/** Whether a schema refers to a definition. An anchor or a dynamic reference could mean any definition. */
function refersTo(schema: unknown, pointer: string): boolean {
  const left: unknown[] = [schema]
  while (left.length > 0) {
    const part = left.pop()
    if (typeof part !== 'object' || part === null) continue
    for (const [key, value] of Object.entries(part)) {
      if (typeof value === 'object') left.push(value)
      else if (key === '$ref' && (value === pointer || isIndirect(value))) return true
      else if (key === '$dynamicRef' || key === '$recursiveRef') return true
    }
  }
  return false
}

function isIndirect(reference: unknown): boolean {
  return (
    typeof reference === 'string' &&
    reference !== '#' &&
    !/^#\/(?:\$defs|definitions)\/[^/%]+$/.test(reference)
  )
}

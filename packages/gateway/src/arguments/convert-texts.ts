import { isJsonObject, type Json } from '../protocol/messages.ts'
import { exactDigits, isText, noteExactNumbers, parseJson } from '../protocol/parse-json.ts'
import { References } from './references.ts'

/*
 * Many agents write a number or a boolean as text (`"100"`), and many servers accept that. Where a schema requires a number
 * or a boolean and does not allow text, such a string is replaced before anything else sees the arguments, so that
 * guardrails, policies, approvals, the audit log and the server all see the same value. Arguments that match the schema
 * never change, because only a string that the schema does not allow is replaced.
 */

export interface Converted {
  readonly args: unknown
  /** The paths of the replaced values, such as `items[0].price`. Empty if nothing was replaced. */
  readonly paths: readonly string[]
}

/**
 * Replaces strings with the numbers and booleans that they spell, where the schema requires a number or a boolean.
 *
 * @example
 * const convert = compileConversion({ properties: { amount: { type: 'number' } } })
 * convert({ amount: '100' }) // => { args: { amount: 100 }, paths: ['amount'] }
 */
export function compileConversion(schema: unknown): (args: unknown) => Converted {
  if (!isJsonObject(schema)) return args => ({ args, paths: NONE })
  const references = new References(schema)
  return args => {
    const conversion = new Conversion(references)
    const converted = conversion.convert(args, [schema], '')
    if (conversion.paths.length === 0) return { args, paths: NONE }
    if (conversion.isExact) noteExactNumbers(converted)
    return { args: converted, paths: conversion.paths }
  }
}

const NONE: readonly string[] = []
/** Maximum number of values and schemas to look at. The others stay as they are, and the schema check refuses them. */
const MOST_STEPS = 20_000
/** The deepest nesting of references and alternatives that is followed. */
const DEEPEST = 30
/** Matches a number exactly as JSON writes it: without an exponent, superfluous zeros or a negative zero. */
const NUMBER = /^(?!-0$)-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/
const LONGEST = 60

class Conversion {
  readonly paths: string[] = []
  isExact = false
  readonly #references: References
  #steps = 0

  constructor(references: References) {
    this.#references = references
  }

  /** `schemas` all apply to the value. Returns the same value if nothing in it is replaced. */
  convert(value: unknown, schemas: readonly unknown[], path: string): unknown {
    if (schemas.length === 0 || this.#steps >= MOST_STEPS) return value
    if (isText(value)) return this.#convertText(value, schemas, path)
    if (Array.isArray(value)) return this.#convertItems(value, this.#flatten(schemas, 'array'), path)
    return isJsonObject(value) ? this.#convertMembers(value, this.#flatten(schemas, 'object'), path) : value
  }

  #convertText(text: string, schemas: readonly unknown[], path: string): unknown {
    const isBoolean = text === 'true' || text === 'false'
    if (!isBoolean && (text.length > LONGEST || !NUMBER.test(text))) return text
    const kinds = isBoolean ? ['boolean'] : text.includes('.') ? ['number'] : ['number', 'integer']
    const fits = schemas.some(schema => this.#typesOf(schema)?.some(type => kinds.includes(type)) === true)
    return fits ? this.#replace(text, path) : text
  }

  #replace(text: string, path: string): unknown {
    const parsed = parseJson(`[${text}]`, 1)
    if (!parsed.ok) return text
    const [value] = parsed.value as readonly unknown[]
    if (exactDigits(value) !== undefined) this.isExact = true
    this.paths.push(path)
    return value
  }

  #convertItems(values: readonly unknown[], schemas: readonly Json[], path: string): unknown {
    const items = schemas.flatMap(schema => (schema.prefixItems === undefined ? [schema.items] : []))
    const wanted = items.filter(item => isJsonObject(item))
    if (wanted.length === 0) return values
    const converted = values.map((value, at) => this.convert(value, wanted, `${path}[${at}]`))
    return converted.some((value, at) => value !== values[at]) ? converted : values
  }

  #convertMembers(value: Json, schemas: readonly Json[], path: string): unknown {
    let isChanged = false
    const entries = Object.entries(value).map(([key, each]) => {
      const wanted = schemas.flatMap(schema => schemaOfMember(schema, key))
      const converted = this.convert(each, wanted, path === '' ? key : `${path}.${key}`)
      isChanged ||= converted !== each
      return [key, converted] as const
    })
    // `fromEntries` is used because an assignment would fail for the key `__proto__`.
    return isChanged ? Object.fromEntries(entries) : value
  }

  /**
   * Returns the types that a schema allows; undefined if it might allow text, or if that is not clear.
   */
  #typesOf(schema: unknown, depth = 0): readonly string[] | undefined {
    this.#steps += 1
    if (!isJsonObject(schema) || depth > DEEPEST || this.#steps >= MOST_STEPS) return undefined
    if (schema.$ref !== undefined) return this.#typesOf(this.#resolve(schema.$ref), depth + 1)
    const { type } = schema
    if (type !== undefined) return withoutText(Array.isArray(type) ? type : [type])
    const parts = alternativesOf(schema)
    if (parts !== undefined) return this.#typesOfAny(parts, depth + 1)
    const all = Array.isArray(schema.allOf) ? schema.allOf : []
    for (const part of all) {
      const types = this.#typesOf(part, depth + 1)
      if (types !== undefined) return types
    }
    return undefined
  }

  #typesOfAny(parts: readonly unknown[], depth: number): readonly string[] | undefined {
    const types: string[] = []
    for (const part of parts) {
      const own = this.#typesOf(part, depth)
      if (own === undefined) return undefined
      types.push(...own)
    }
    return types
  }

  /** Returns all schemas that certainly apply to an array or an object: references and alternatives are followed. */
  #flatten(schemas: readonly unknown[], type: 'array' | 'object'): Json[] {
    const found: Json[] = []
    const waiting = [...schemas]
    for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
      this.#steps += 1
      if (this.#steps >= MOST_STEPS) return []
      if (!isJsonObject(schema)) continue
      // Older drafts ignore everything next to a reference.
      if (schema.$ref !== undefined) waiting.push(this.#resolve(schema.$ref))
      else {
        found.push(schema)
        if (Array.isArray(schema.allOf)) waiting.push(...schema.allOf)
        const possible = alternativesOf(schema)?.filter(part => this.#typesOf(part)?.includes(type) !== false)
        if (possible?.length === 1) waiting.push(...possible)
      }
    }
    return found
  }

  #resolve(reference: unknown): unknown {
    return typeof reference === 'string' ? this.#references.find(reference) : undefined
  }
}

function alternativesOf({ anyOf, oneOf }: Json): readonly unknown[] | undefined {
  if (Array.isArray(anyOf)) return anyOf
  return Array.isArray(oneOf) ? oneOf : undefined
}

const TYPES: ReadonlySet<unknown> = new Set(['number', 'integer', 'boolean', 'null', 'array', 'object'])

/** Returns the types if none of them is text or unknown. */
function withoutText(types: readonly unknown[]): readonly string[] | undefined {
  return types.every(type => TYPES.has(type)) ? (types as readonly string[]) : undefined
}

function schemaOfMember(
  { properties, patternProperties, additionalProperties }: Json,
  key: string,
): unknown[] {
  if (isJsonObject(properties) && Object.hasOwn(properties, key)) return [properties[key]]
  const isOther = patternProperties === undefined && isJsonObject(additionalProperties)
  return isOther ? [additionalProperties] : []
}

import { asRecord, isRecord, type Json, UnusableOperation } from './document.ts'

const COMPONENTS = '#/components/schemas/'
/** Words that only OpenAPI has, and words that only fill a list of tools. */
const DROPPED = new Set(['nullable', 'discriminator', 'xml', 'externalDocs', 'example', 'examples'])
const MAX_DEPTH = 100

/**
 * Schemas of an OpenAPI document as JSON Schema 2020-12 of one tool: references point into the tool's own `$defs`, and
 * what OpenAPI 3.0 spells its own way is spelt the usual way.
 */
export class SchemaConverter {
  readonly #schemas: Json
  readonly #wanted = new Set<string>()

  constructor(document: Json) {
    this.#schemas = asRecord(asRecord(document.components).schemas)
  }

  convert(schema: unknown): Json {
    return asRecord(this.#convert(schema, 0))
  }

  /** Every component that was referred to so far, those that they refer to included. */
  definitions(): Json {
    const done = new Map<string, unknown>()
    for (const name of this.#wanted) done.set(name, this.#convert(this.#schemas[name], 0))
    return Object.fromEntries(done)
  }

  #convert(value: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH) throw new UnusableOperation('a schema is nested too deeply')
    if (Array.isArray(value)) return value.map(item => this.#convert(item, depth + 1))
    if (!isRecord(value)) return value
    if (typeof value.$ref === 'string') return { $ref: this.#refer(value.$ref) }
    const kept = Object.entries(value).filter(([key]) => !DROPPED.has(key) && !key.startsWith('x-'))
    const converted = kept.map(([key, part]) => [key, this.#part(key, part, depth)])
    return withBounds(withNull(Object.fromEntries(converted), value.nullable === true))
  }

  /** Names of properties are names, whatever they look like. */
  #part(key: string, part: unknown, depth: number): unknown {
    if (key !== 'properties' || !isRecord(part)) return this.#convert(part, depth + 1)
    return Object.fromEntries(Object.entries(part).map(([name, of]) => [name, this.#convert(of, depth + 1)]))
  }

  #refer(ref: string): string {
    const name = ref.startsWith(COMPONENTS) ? ref.slice(COMPONENTS.length) : ''
    if (name === '' || name.includes('/') || !Object.hasOwn(this.#schemas, name))
      throw new UnusableOperation(`${ref} is not a schema of this document`)
    this.#wanted.add(name)
    return `#/$defs/${name}`
  }
}

/** `nullable: true` is OpenAPI 3.0's way to allow null. */
function withNull(schema: Json, isNullable: boolean): Json {
  if (!isNullable) return schema
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const choices = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}
  return { ...schema, type: [schema.type, 'null'], ...choices }
}

/** `exclusiveMinimum: true` is OpenAPI 3.0's way to leave the bound itself out. */
function withBounds(schema: Json): Json {
  const { exclusiveMinimum, exclusiveMaximum, ...rest } = schema
  const { minimum, maximum, ...unbounded } = rest
  return {
    ...unbounded,
    ...bound('minimum', minimum, exclusiveMinimum),
    ...bound('maximum', maximum, exclusiveMaximum),
  }
}

function bound(name: 'minimum' | 'maximum', value: unknown, exclusive: unknown): Json {
  const strict = name === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'
  if (exclusive === true) return value === undefined ? {} : { [strict]: value }
  return {
    ...(value === undefined ? {} : { [name]: value }),
    ...(typeof exclusive === 'number' ? { [strict]: exclusive } : {}),
  }
}

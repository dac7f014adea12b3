import { asRecord, isRecord, type Json, UnusableOperation } from './document.ts'

const COMPONENTS = '#/components/schemas/'
/** Keywords that exist only in OpenAPI, and keywords that a tool's schema does not need. */
const DROPPED = new Set(['nullable', 'discriminator', 'xml', 'externalDocs', 'example', 'examples'])
const MAX_DEPTH = 100

/**
 * Converts schemas in an OpenAPI document to JSON Schema 2020-12 for one tool. References point into the tool's own
 * `$defs`, and keywords of OpenAPI 3.0 become their JSON Schema equivalents.
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

  /** Returns all components referenced so far, directly or indirectly. */
  definitions(): Json {
    const done = new Map<string, unknown>()
    for (const name of this.#wanted) done.set(name, this.#convert(this.#schemas[name], 0))
    return Object.fromEntries(done)
  }

  #convert(value: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH) throw new UnusableOperation('A schema is nested too deeply.')
    if (Array.isArray(value)) return value.map(item => this.#convert(item, depth + 1))
    if (!isRecord(value)) return value
    if (typeof value.$ref === 'string') return { $ref: this.#refer(value.$ref) }
    const kept = Object.entries(value).filter(([key]) => !DROPPED.has(key) && !key.startsWith('x-'))
    const converted = kept.map(([key, part]) => [key, this.#part(key, part, depth)])
    return withBounds(withNull(Object.fromEntries(converted), value.nullable === true))
  }

  /** Converts the value of a keyword. Property names are kept even if they look like keywords. */
  #part(key: string, part: unknown, depth: number): unknown {
    if (key !== 'properties' || !isRecord(part)) return this.#convert(part, depth + 1)
    return Object.fromEntries(Object.entries(part).map(([name, of]) => [name, this.#convert(of, depth + 1)]))
  }

  #refer(ref: string): string {
    const name = ref.startsWith(COMPONENTS) ? ref.slice(COMPONENTS.length) : ''
    if (name === '' || name.includes('/') || !Object.hasOwn(this.#schemas, name))
      throw new UnusableOperation(`${ref} is not a schema of this document.`)
    this.#wanted.add(name)
    return `#/$defs/${name}`
  }
}

/** Allows null, as `nullable: true` does in OpenAPI 3.0. */
function withNull(schema: Json, isNullable: boolean): Json {
  if (!isNullable) return schema
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const choices = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}
  return { ...schema, type: [schema.type, 'null'], ...choices }
}

/** Converts the limits of OpenAPI 3.0, where `exclusiveMinimum: true` makes `minimum` exclusive. */
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

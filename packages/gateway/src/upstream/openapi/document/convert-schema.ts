import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { UnusablePart } from './document-error.ts'
import { lookUp } from './follow.ts'
import type { Work } from './work.ts'

/** `request`: the arguments of a call. `response`: the shape of an answer, described loosely. */
type Direction = 'request' | 'response'

/**
 * The keywords of a schema that agents need. Others are left out: they are only for documentation, only in OpenAPI, give
 * a reference a second meaning, or are no keywords at all, and then they could be anything.
 */
const KEPT = new Set(
  'type title description format enum const default allOf anyOf oneOf not if then else properties patternProperties additionalProperties propertyNames required minProperties maxProperties dependentSchemas dependentRequired unevaluatedProperties items prefixItems additionalItems contains minContains maxContains minItems maxItems uniqueItems unevaluatedItems minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf contentEncoding contentMediaType contentSchema readOnly writeOnly'.split(
    ' ',
  ),
)
/**
 * Keywords that are left out of the schema of an answer. Many services do not keep to them, and clients refuse an
 * answer that does not match.
 */
const TOO_STRICT = new Set(
  'required enum const pattern format minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties additionalProperties unevaluatedProperties not if then else'.split(
    ' ',
  ),
)
/** Keywords whose values are schemas by name. The names are data, even if one of them looks like a keyword. */
const BY_NAME = new Set(['properties', 'patternProperties', 'dependentSchemas'])
/** Keywords whose values are data. */
const DATA = new Set(['default', 'const', 'enum', 'dependentRequired'])
const MOST_DEPTH = 100
/** Maximum number of characters of the shared schemas of one tool. What does not fit accepts any value. */
const MOST_SHARED = 48_000
/** A schema with more parts has more characters than a tool can have. */
const MOST_PARTS = 50_000
const CHARACTERS_IN_STEP = 50
const MOST_TEXT = 1000

/** A schema that no tool can have. */
class TooLong extends UnusablePart {}

interface Source {
  readonly root: Json
  readonly work: Work
}

/**
 * Converts the schemas of one operation to JSON Schema 2020-12. References, which can be circular, lead to the tool's own
 * `$defs`.
 */
export class SchemaConverter {
  readonly #root: Json
  readonly #direction: Direction
  readonly #names = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly work: Work
  /** How many parts of the current schema can still be converted before it is too long for a tool. */
  #left = MOST_PARTS

  constructor({ root, work }: Source, direction: Direction) {
    this.#root = root
    this.#direction = direction
    this.work = work
  }

  convert(schema: unknown): Json {
    this.#left = MOST_PARTS
    const converted = this.#convert(schema, 0)
    if (isJsonObject(converted)) return converted
    return converted === false ? { not: {} } : {}
  }

  /** Returns every schema that was referred to so far, directly or indirectly, by name. */
  definitions(): Json {
    const done = new Map<string, unknown>()
    let length = 0
    for (const [reference, name] of this.#names) {
      const isFull = length >= MOST_SHARED
      const converted = isFull ? {} : this.#convertShared(reference)
      const written = JSON.stringify(converted).length
      this.work.spend(1 + written / CHARACTERS_IN_STEP)
      length += written
      done.set(name, length <= MOST_SHARED || done.size === 0 ? converted : TOO_LONG)
    }
    return Object.fromEntries(done)
  }

  /** Converts a shared schema. One that is too long for this tool is too long for the others, too. */
  #convertShared(reference: string): Json {
    const known = `${this.#direction} ${reference}`
    if (this.work.tooLong.has(known)) return TOO_LONG
    try {
      return this.convert(lookUp(this.#root, reference))
    } catch (error) {
      if (!(error instanceof TooLong)) throw error
      this.work.tooLong.add(known)
      return TOO_LONG
    }
  }

  #spend(parts: number): void {
    this.work.spend(parts)
    this.#left -= parts
    if (this.#left < 0) throw new TooLong('its schemas are too long for a tool')
  }

  #convert(value: unknown, depth: number): unknown {
    this.#spend(1)
    if (depth > MOST_DEPTH) throw new UnusablePart(`a schema is nested more than ${MOST_DEPTH} levels deep`)
    if (!isJsonObject(value)) return typeof value === 'boolean' ? value : {}
    const { $ref, ...rest } = value
    if (typeof $ref === 'string') return { ...this.#convertMembers(rest, depth), $ref: this.#refer($ref) }
    // Many services send null for a member without a value, whatever their document says.
    const isNullable = value.nullable === true || (this.#direction === 'response' && depth > 0)
    return withNull(withBounds(this.#convertMembers(value, depth)), isNullable)
  }

  #convertMembers(value: Json, depth: number): Json {
    const hidden = this.#direction === 'request' ? findReadOnly(value) : new Set<string>()
    const found: [string, unknown][] = []
    for (const [key, part] of Object.entries(value)) {
      this.#spend(1)
      if (!KEPT.has(key)) continue
      if (this.#direction === 'response' && TOO_STRICT.has(key)) continue
      // APIs tell alternatives apart by a discriminator or not at all, so a value often matches more than one of them.
      const name = key === 'oneOf' && value.anyOf === undefined ? 'anyOf' : key
      const converted = this.#convertPart(key, part, { depth: depth + 1, hidden })
      if (converted !== undefined) found.push([name, converted])
    }
    return Object.fromEntries(found)
  }

  #convertPart(key: string, part: unknown, { depth, hidden }: Within): unknown {
    if (DATA.has(key)) {
      this.#spend((JSON.stringify(part) ?? '').length / CHARACTERS_IN_STEP)
      return part
    }
    if (Array.isArray(part)) this.#spend(part.length)
    if (key === 'description' || key === 'title') return typeof part === 'string' ? shorten(part) : undefined
    if (key === 'required') return readRequired(part, hidden)
    if (BY_NAME.has(key)) return this.#convertByName(part, { depth, hidden })
    // In draft 4, a list of schemas could be written as `items`; since 2020-12, that is `prefixItems`.
    if (Array.isArray(part)) return part.map(item => (isJsonObject(item) ? this.#convert(item, depth) : item))
    return isJsonObject(part) ? this.#convert(part, depth) : part
  }

  #convertByName(part: unknown, { depth, hidden }: Within): Json | undefined {
    if (!isJsonObject(part)) return undefined
    const shown = Object.entries(part).filter(([name]) => !hidden.has(name))
    return Object.fromEntries(shown.map(([name, schema]) => [name, this.#convert(schema, depth)]))
  }

  #refer(reference: string): string {
    const known = this.#names.get(reference)
    if (known !== undefined) return `#/$defs/${known}`
    lookUp(this.#root, reference)
    const plain = reference.slice(reference.lastIndexOf('/') + 1).replaceAll(/[^\w.-]+/g, '_')
    const name = this.#taken.has(plain) ? `${plain}_${this.#names.size}` : plain
    this.#taken.add(name)
    this.#names.set(reference, name)
    return `#/$defs/${name}`
  }
}

interface Within {
  readonly depth: number
  readonly hidden: ReadonlySet<string>
}

const TOO_LONG: Json = { description: 'Any value. The schema is too long to be shown here.' }

/** Returns the names of properties that only answers have. */
function findReadOnly({ properties }: Json): ReadonlySet<string> {
  if (!isJsonObject(properties)) return new Set()
  const names = Object.entries(properties).filter(
    ([, schema]) => isJsonObject(schema) && schema.readOnly === true,
  )
  return new Set(names.map(([name]) => name))
}

/** Drops `required: true` on a single property, which OpenAPI does not define. */
function readRequired(part: unknown, hidden: ReadonlySet<string>): readonly string[] | undefined {
  if (!Array.isArray(part)) return undefined
  const names = part.filter(name => typeof name === 'string' && !hidden.has(name)) as string[]
  return names.length === 0 ? undefined : [...new Set(names)]
}

/** Allows null, as `nullable: true` does in OpenAPI 3.0. */
function withNull(schema: Json, isNullable: boolean): Json {
  if (!isNullable) return schema
  if (typeof schema.type !== 'string')
    return schema.type === undefined &&
      schema.anyOf === undefined &&
      schema.oneOf === undefined &&
      schema.allOf === undefined
      ? schema
      : { anyOf: [schema, { type: 'null' }] }
  const choices = Array.isArray(schema.enum) ? { enum: [...new Set([...schema.enum, null])] } : {}
  return { ...schema, type: [schema.type, 'null'], ...choices }
}

/** Converts the limits of OpenAPI 3.0, where `exclusiveMinimum: true` makes `minimum` exclusive. */
function withBounds(schema: Json): Json {
  const { exclusiveMinimum, exclusiveMaximum, ...rest } = schema
  return {
    ...withBound(withBound(rest, ['minimum', 'exclusiveMinimum', exclusiveMinimum]), [
      'maximum',
      'exclusiveMaximum',
      exclusiveMaximum,
    ]),
  }
}

function withBound(schema: Json, [plain, strict, given]: readonly [string, string, unknown]): Json {
  if (typeof given === 'number') return { ...schema, [strict]: given }
  if (given !== true) return schema
  const { [plain]: bound, ...rest } = schema
  return bound === undefined ? rest : { ...rest, [strict]: bound }
}

function shorten(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text
}

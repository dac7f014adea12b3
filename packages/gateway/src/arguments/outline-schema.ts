import { isJsonObject, type Json } from '../protocol/messages.ts'
import { References } from './references.ts'

/** What a schema says of one place in the arguments: which members are known there, and what is said of those in turn. */
export interface Place {
  has(key: string): boolean
  /** A known member that the key is the same as once both are folded. */
  resembling(key: string): string | undefined
  schemaOf(key: string): unknown
  /** The place of a member, known or not; undefined where nothing is known of its members. */
  at(key: string): Place | undefined
  /** The place of what a list holds. */
  inList(): Place | undefined
}

/** Schemas that hold, or may hold, for the same value. */
const TOGETHER = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const
const DEPENDING = ['dependentSchemas', 'dependencies'] as const
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const
const OF_OTHERS = ['additionalProperties', 'unevaluatedProperties'] as const
const OF_ITEMS = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'] as const

/** Schemas that may be looked at anew for one call: far more than any tool needs, and some milliseconds. */
const MAX_LOOKS = 20_000
/** So many names are noted in the time of one such look. */
const NAMES_FOR_LOOK = 10
/** Places that are remembered. Arguments can lead to more of them than there are schemas. */
const MAX_PLACES = 1000

/** Undefined inside: nothing is known of what is there. */
interface Kept {
  readonly place: Place | undefined
}

/** The names that a schema knows, place by place, whichever of its alternatives may hold. */
export class SchemaOutline {
  readonly #root: Json
  readonly #references: References
  readonly #fold: (key: string) => string
  readonly #numbers = new Map<Json, number>()
  /** By the schemas that meet there, so that one that holds itself has an end. */
  readonly #places = new Map<string, Place | undefined>()
  #whole: Kept | undefined
  #left = 0

  constructor(root: Json, fold: (key: string) => string) {
    this.#root = root
    this.#references = new References(root)
    this.#fold = fold
  }

  /** The place of all arguments of a call. */
  begin(): Place | undefined {
    this.#left = MAX_LOOKS
    if (this.#places.size > MAX_PLACES) {
      this.#places.clear()
      this.#whole = undefined
    }
    this.#whole ??= this.keep([this.#root])
    return this.#whole?.place
  }

  /** There was more to look at for this call than is looked at: what was not seen cannot be called harmless. */
  get isSpent(): boolean {
    return this.#left < 0
  }

  /** The place where these schemas meet, to be remembered. Undefined: nobody can say. */
  keep(schemas: readonly unknown[]): Kept | undefined {
    const all = this.#spread(schemas)
    return this.isSpent ? undefined : { place: this.#placeOf(all) }
  }

  #placeOf(all: readonly Json[]): Place | undefined {
    const key = all.map(schema => this.#numberOf(schema)).join(' ')
    if (!this.#places.has(key))
      this.#places.set(key, isTelling(all) ? new SchemaPlace(all, this, this.#fold) : undefined)
    return this.#places.get(key)
  }

  /** With everything that they refer to or are made of. */
  #spread(schemas: readonly unknown[]): Json[] {
    const found = new Set<Json>()
    const open = [...schemas]
    while (open.length > 0 && !this.isSpent) {
      const schema = open.pop()
      this.#left -= 1
      if (!isJsonObject(schema) || found.has(schema)) continue
      found.add(schema)
      for (const keyword of REFERENCES) {
        const reference = schema[keyword]
        if (typeof reference === 'string') open.push(this.#references.find(reference))
      }
      for (const keyword of TOGETHER) for (const other of listOf(schema[keyword])) open.push(other)
      for (const keyword of DEPENDING) for (const other of valuesOf(schema[keyword])) open.push(other)
      this.#left -= valuesOf(schema.properties).length / NAMES_FOR_LOOK
    }
    return [...found]
  }

  #numberOf(schema: Json): number {
    const number = this.#numbers.get(schema) ?? this.#numbers.size
    this.#numbers.set(schema, number)
    return number
  }
}

class SchemaPlace implements Place {
  readonly #outline: SchemaOutline
  readonly #fold: (key: string) => string
  readonly #schemas: readonly Json[]
  readonly #known = new Map<string, unknown[]>()
  readonly #folded = new Map<string, string>()
  readonly #inside = new Map<string, Kept | undefined>()
  #others: Kept | undefined
  #items: Kept | undefined

  constructor(schemas: readonly Json[], outline: SchemaOutline, fold: (key: string) => string) {
    this.#schemas = schemas
    this.#outline = outline
    this.#fold = fold
    for (const { properties } of schemas) {
      if (!isJsonObject(properties)) continue
      for (const [name, schema] of Object.entries(properties)) {
        const known = this.#known.get(name)
        if (known === undefined) this.#known.set(name, [schema])
        else known.push(schema)
        this.#folded.set(fold(name), name)
      }
    }
  }

  has(key: string): boolean {
    return this.#known.has(key)
  }

  resembling(key: string): string | undefined {
    return this.#folded.size === 0 ? undefined : this.#folded.get(this.#fold(key))
  }

  schemaOf(key: string): unknown {
    return this.#known.get(key)?.[0]
  }

  at(key: string): Place | undefined {
    const known = this.#known.get(key)
    return known === undefined ? this.#atOthers() : this.#atKnown(key, known)
  }

  inList(): Place | undefined {
    if (!this.#outline.isSpent) this.#items ??= this.#outline.keep(this.#gather(OF_ITEMS))
    return this.#items?.place
  }

  #atOthers(): Place | undefined {
    if (!this.#outline.isSpent)
      this.#others ??= this.#outline.keep([...this.#patterns(), ...this.#gather(OF_OTHERS)])
    return this.#others?.place
  }

  #atKnown(key: string, known: readonly unknown[]): Place | undefined {
    const kept = this.#inside.get(key)
    if (kept !== undefined || this.#outline.isSpent) return kept?.place
    const found = this.#outline.keep([...known, ...this.#patterns()])
    this.#inside.set(key, found)
    return found?.place
  }

  /** Whichever of them fits the name: to find out would take longer than to look at all of them, once. */
  #patterns(): unknown[] {
    return this.#schemas.flatMap(({ patternProperties }) => valuesOf(patternProperties))
  }

  #gather(keywords: readonly string[]): unknown[] {
    return this.#schemas.flatMap(schema => keywords.flatMap(keyword => listOf(schema[keyword])))
  }
}

const TELLING: readonly string[] = ['properties', 'patternProperties', ...OF_OTHERS, ...OF_ITEMS]

function isTelling(schemas: readonly Json[]): boolean {
  return schemas.some(schema => TELLING.some(keyword => typeof schema[keyword] === 'object'))
}

function valuesOf(schemas: unknown): readonly unknown[] {
  return isJsonObject(schemas) ? Object.values(schemas) : []
}

function listOf(schemas: unknown): readonly unknown[] {
  if (schemas === undefined) return []
  return Array.isArray(schemas) ? schemas : [schemas]
}

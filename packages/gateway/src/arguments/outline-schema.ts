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

/** Schemas that hold for the same value: `$ref` goes without saying. */
const TOGETHER = ['allOf', 'anyOf', 'oneOf', 'then', 'else'] as const
const OF_OTHERS = ['additionalProperties', 'unevaluatedProperties'] as const
const OF_ITEMS = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'] as const

/** The names that a schema knows, place by place, whichever of its alternatives may hold. */
export function outlineSchema(schema: unknown, fold: (key: string) => string): Place | undefined {
  return isJsonObject(schema) ? new Outline(schema, fold).placeOf([schema]) : undefined
}

class Outline {
  readonly fold: (key: string) => string
  readonly #references: References
  readonly #numbers = new Map<Json, number>()
  /** By the schemas that meet there, so that one that holds itself has an end. */
  readonly #places = new Map<string, Place | undefined>()

  constructor(root: Json, fold: (key: string) => string) {
    this.#references = new References(root)
    this.fold = fold
  }

  placeOf(schemas: readonly unknown[]): Place | undefined {
    const all = this.#spread(schemas)
    const key = all.map(schema => this.#numberOf(schema)).join(' ')
    if (!this.#places.has(key)) this.#places.set(key, isTelling(all) ? new SchemaPlace(all, this) : undefined)
    return this.#places.get(key)
  }

  /** With everything that they refer to or are made of. */
  #spread(schemas: readonly unknown[]): Json[] {
    const found = new Set<Json>()
    const open = [...schemas]
    while (open.length > 0) {
      const schema = open.pop()
      if (!isJsonObject(schema) || found.has(schema)) continue
      found.add(schema)
      if (typeof schema.$ref === 'string') open.push(this.#references.find(schema.$ref))
      for (const keyword of TOGETHER) open.push(...listOf(schema[keyword]))
      if (isJsonObject(schema.dependentSchemas)) open.push(...Object.values(schema.dependentSchemas))
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
  readonly #outline: Outline
  readonly #schemas: readonly Json[]
  readonly #known = new Map<string, unknown[]>()
  readonly #folded = new Map<string, string>()
  readonly #inside = new Map<string, Place | undefined>()
  #others: { readonly place: Place | undefined } | undefined
  #items: { readonly place: Place | undefined } | undefined

  constructor(schemas: readonly Json[], outline: Outline) {
    this.#schemas = schemas
    this.#outline = outline
    for (const { properties } of schemas) {
      if (!isJsonObject(properties)) continue
      for (const [name, schema] of Object.entries(properties)) {
        const known = this.#known.get(name)
        if (known === undefined) this.#known.set(name, [schema])
        else known.push(schema)
        this.#folded.set(outline.fold(name), name)
      }
    }
  }

  has(key: string): boolean {
    return this.#known.has(key)
  }

  resembling(key: string): string | undefined {
    return this.#folded.size === 0 ? undefined : this.#folded.get(this.#outline.fold(key))
  }

  schemaOf(key: string): unknown {
    return this.#known.get(key)?.[0]
  }

  at(key: string): Place | undefined {
    const known = this.#known.get(key)
    if (known === undefined) return this.#atOthers()
    if (!this.#inside.has(key)) this.#inside.set(key, this.#outline.placeOf(known))
    return this.#inside.get(key)
  }

  inList(): Place | undefined {
    this.#items ??= { place: this.#outline.placeOf(this.#gather(OF_ITEMS)) }
    return this.#items.place
  }

  #atOthers(): Place | undefined {
    const patterns = this.#schemas.flatMap(({ patternProperties: some }) =>
      isJsonObject(some) ? Object.values(some) : [],
    )
    this.#others ??= { place: this.#outline.placeOf([...patterns, ...this.#gather(OF_OTHERS)]) }
    return this.#others.place
  }

  #gather(keywords: readonly string[]): unknown[] {
    return this.#schemas.flatMap(schema => keywords.flatMap(keyword => listOf(schema[keyword])))
  }
}

const TELLING: readonly string[] = ['properties', 'patternProperties', ...OF_OTHERS, ...OF_ITEMS]

function isTelling(schemas: readonly Json[]): boolean {
  return schemas.some(schema => TELLING.some(keyword => typeof schema[keyword] === 'object'))
}

function listOf(schemas: unknown): readonly unknown[] {
  return Array.isArray(schemas) ? schemas : [schemas]
}

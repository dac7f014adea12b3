import { isJsonObject, type Json } from '../protocol/messages.ts'
import { References } from './references.ts'

/** What a schema says of one place in the arguments: which members are known there, and what is said of those in turn. */
export interface Place {
  readonly isSpent: boolean
  has(key: string): boolean
  /** A known member that the key is the same as once both are folded. */
  resembling(key: string): string | undefined
  schemaOf(key: string): unknown
  /** The place of a member, known or not; undefined where nothing is known of its members. */
  at(key: string): Place | undefined
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
/** So many names are noted, or looked for, in the time of one such look. */
const NAMES_FOR_LOOK = 10
/** Schemas of all places together that are remembered. Arguments can lead to more places than there are schemas. */
const MAX_REMEMBERED = 50_000

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
  /** The names of each schema, in the words of `fold`. */
  readonly #folded = new Map<Json, ReadonlyMap<string, string>>()
  #whole: Kept | undefined
  #remembered = 0
  #left = 0

  constructor(root: Json, fold: (key: string) => string) {
    this.#root = root
    this.#references = new References(root)
    this.#fold = fold
  }

  /** The place of all arguments of a call. */
  begin(): Place | undefined {
    this.#left = MAX_LOOKS
    if (this.#remembered > MAX_REMEMBERED) {
      this.#places.clear()
      this.#remembered = 0
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
    if (!this.#places.has(key)) {
      this.#remembered += all.length + 1
      this.#places.set(key, isTelling(all) ? new SchemaPlace(all, this) : undefined)
    }
    return this.#places.get(key)
  }

  /** One of the names that some schemas know: the same as the key once both are folded. */
  findFolded(key: string, schemas: readonly Json[]): string | undefined {
    const folded = this.#fold(key)
    for (const schema of schemas) {
      const name = this.#foldedOf(schema).get(folded)
      if (name !== undefined) return name
    }
    return undefined
  }

  /** Looking for one name in so many schemas takes its time, too. */
  spend(schemas: number): void {
    this.#left -= schemas / NAMES_FOR_LOOK
  }

  #foldedOf(schema: Json): ReadonlyMap<string, string> {
    const known = this.#folded.get(schema)
    if (known !== undefined) return known
    const names = Object.keys(isJsonObject(schema.properties) ? schema.properties : {})
    this.spend(names.length)
    const folded = new Map(names.map(name => [this.#fold(name), name]))
    this.#folded.set(schema, folded)
    return folded
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
        if (typeof reference !== 'string') continue
        open.push(this.#references.find(reference))
        if (this.#references.isUnclear) this.#left = Number.NEGATIVE_INFINITY
      }
      for (const keyword of TOGETHER) for (const other of listOf(schema[keyword])) open.push(other)
      for (const keyword of DEPENDING) for (const other of valuesOf(schema[keyword])) open.push(other)
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
  readonly #schemas: readonly Json[]
  readonly #naming: readonly Json[]
  readonly #inside = new Map<string, Kept>()
  #others: Kept | undefined
  #items: Kept | undefined

  constructor(schemas: readonly Json[], outline: SchemaOutline) {
    this.#schemas = schemas
    this.#naming = schemas.filter(({ properties }) => isJsonObject(properties))
    this.#outline = outline
  }

  get isSpent(): boolean {
    return this.#outline.isSpent
  }

  has(key: string): boolean {
    this.#outline.spend(this.#naming.length)
    return this.#naming.some(({ properties }) => Object.hasOwn(properties as Json, key))
  }

  resembling(key: string): string | undefined {
    return this.#naming.length === 0 ? undefined : this.#outline.findFolded(key, this.#naming)
  }

  schemaOf(key: string): unknown {
    return this.#known(key)[0]
  }

  at(key: string): Place | undefined {
    if (this.#outline.isSpent) return undefined
    return this.has(key) ? this.#atKnown(key) : this.#atOthers()
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

  #atKnown(key: string): Place | undefined {
    const kept = this.#inside.get(key)
    if (kept !== undefined || this.#outline.isSpent) return kept?.place
    const found = this.#outline.keep([...this.#known(key), ...this.#patterns()])
    if (found !== undefined) this.#inside.set(key, found)
    return found?.place
  }

  #known(key: string): unknown[] {
    return this.#naming.flatMap(({ properties }) =>
      Object.hasOwn(properties as Json, key) ? [(properties as Json)[key]] : [],
    )
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

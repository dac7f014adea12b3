import { isJsonObject, type Json } from '../protocol/messages.ts'
import { References } from './references.ts'

/** One location in the arguments, with the members that a schema declares there and the locations of those members. */
export interface SchemaLocation {
  readonly isExceeded: boolean
  has(key: string): boolean
  /** Returns a known member that equals the key after case folding. */
  resembling(key: string): string | undefined
  schemaOf(key: string): unknown
  /**
   * Returns the location of a member, whether known or not; undefined if nothing is declared about what it contains.
   */
  at(key: string): SchemaLocation | undefined
  inList(): SchemaLocation | undefined
}

/** Keywords whose schemas apply, or can apply, to the same value. */
const TOGETHER = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const
const DEPENDING = ['dependentSchemas', 'dependencies'] as const
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const
const OF_OTHERS = ['additionalProperties', 'unevaluatedProperties'] as const
const OF_ITEMS = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'] as const

/** Maximum number of schemas visited for one call. It is far more than any tool needs, and takes a few milliseconds. */
const MAX_VISITS = 20_000
/** The number of names that can be stored or looked up in the time that one visit takes. */
const NAMES_PER_VISIT = 10
/** Maximum number of schemas in the cache of locations. Arguments can lead to more locations than there are schemas. */
const MAX_CACHED = 50_000

/** A cache entry. `location` is undefined if the schema declares nothing there. */
interface Cached {
  readonly location: SchemaLocation | undefined
}

/** Knows the names that a schema declares at each location, in all its alternatives. */
export class SchemaOutline {
  readonly #root: Json
  readonly #references: References
  readonly #fold: (key: string) => string
  readonly #numbers = new Map<Json, number>()
  /**
   * The locations, keyed by the schemas that apply to them, so that a recursive schema has a finite number of
   * locations.
   */
  readonly #locations = new Map<string, SchemaLocation | undefined>()
  /** For each schema, its names after case folding. */
  readonly #folded = new Map<Json, ReadonlyMap<string, string>>()
  #whole: Cached | undefined
  #remembered = 0
  #left = 0

  constructor(root: Json, fold: (key: string) => string) {
    this.#root = root
    this.#references = new References(root)
    this.#fold = fold
  }

  /** The root location of a call's arguments. */
  begin(): SchemaLocation | undefined {
    this.#left = MAX_VISITS
    if (this.#remembered > MAX_CACHED) {
      this.#locations.clear()
      this.#remembered = 0
      this.#whole = undefined
    }
    this.#whole ??= this.keep([this.#root])
    return this.#whole?.location
  }

  /** True if the budget for this call is spent. The result is then incomplete. */
  get isExceeded(): boolean {
    return this.#left < 0
  }

  /** Returns the location at which these schemas apply, and caches it. Undefined if the budget is spent. */
  keep(schemas: readonly unknown[]): Cached | undefined {
    const all = this.#spread(schemas)
    return this.isExceeded ? undefined : { location: this.#locationOf(all) }
  }

  #locationOf(all: readonly Json[]): SchemaLocation | undefined {
    const key = all.map(schema => this.#numberOf(schema)).join(' ')
    if (!this.#locations.has(key)) {
      this.#remembered += all.length + 1
      this.#locations.set(key, isTelling(all) ? new OutlinedLocation(all, this) : undefined)
    }
    return this.#locations.get(key)
  }

  /** Returns a declared name that equals the key after case folding. */
  findFolded(key: string, schemas: readonly Json[]): string | undefined {
    const folded = this.#fold(key)
    for (const schema of schemas) {
      const name = this.#foldedOf(schema).get(folded)
      if (name !== undefined) return name
    }
    return undefined
  }

  /** Charges for looking up one name in this many schemas. */
  spend(schemas: number): void {
    this.#left -= schemas / NAMES_PER_VISIT
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

  /** Returns the schemas together with all schemas that they reference or combine. */
  #spread(schemas: readonly unknown[]): Json[] {
    const found = new Set<Json>()
    const open = [...schemas]
    while (open.length > 0 && !this.isExceeded) {
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

class OutlinedLocation implements SchemaLocation {
  readonly #outline: SchemaOutline
  readonly #schemas: readonly Json[]
  readonly #naming: readonly Json[]
  readonly #inside = new Map<string, Cached>()
  #others: Cached | undefined
  #items: Cached | undefined

  constructor(schemas: readonly Json[], outline: SchemaOutline) {
    this.#schemas = schemas
    this.#naming = schemas.filter(({ properties }) => isJsonObject(properties))
    this.#outline = outline
  }

  get isExceeded(): boolean {
    return this.#outline.isExceeded
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

  at(key: string): SchemaLocation | undefined {
    if (this.#outline.isExceeded) return undefined
    return this.has(key) ? this.#atKnown(key) : this.#atOthers()
  }

  inList(): SchemaLocation | undefined {
    if (!this.#outline.isExceeded) this.#items ??= this.#outline.keep(this.#gather(OF_ITEMS))
    return this.#items?.location
  }

  #atOthers(): SchemaLocation | undefined {
    if (!this.#outline.isExceeded)
      this.#others ??= this.#outline.keep([...this.#patterns(), ...this.#gather(OF_OTHERS)])
    return this.#others?.location
  }

  #atKnown(key: string): SchemaLocation | undefined {
    const kept = this.#inside.get(key)
    if (kept !== undefined || this.#outline.isExceeded) return kept?.location
    const found = this.#outline.keep([...this.#known(key), ...this.#patterns()])
    if (found !== undefined) this.#inside.set(key, found)
    return found?.location
  }

  #known(key: string): unknown[] {
    return this.#naming.flatMap(({ properties }) =>
      Object.hasOwn(properties as Json, key) ? [(properties as Json)[key]] : [],
    )
  }

  /**
   * Returns the schemas under all patterns of `patternProperties`. Matching a name against every pattern would take
   * longer than visiting all schemas once.
   */
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

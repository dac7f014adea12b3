import { readOwn } from '../infer/read-schema.ts'

/** The role of a string in a definition. Some rules apply only to certain roles. */
type TextRole = 'name' | 'text' | 'property' | 'default'

export interface FoundText {
  readonly path: string
  readonly role: TextRole
  readonly text: string
  /** The schema property to which the string belongs, or an empty string. */
  readonly property: string
}

export interface GatheredTexts {
  readonly texts: readonly FoundText[]
  /** The path at which reading stopped, if the definition is too large or too deep. */
  readonly stoppedAt?: string
}

/**
 * Maximum number of nodes to read, more than any real tool has. If there are more, the reviewer is told that the rest
 * was not read.
 */
const MAX_NODES = 60_000
const MAX_DEPTH = 64
const MAX_STEP = 200

/** Fields in the order in which a reviewer reads them. */
const FIELDS = [
  'name',
  'title',
  'description',
  'annotations',
  'inputSchema',
  'outputSchema',
  '_meta',
] as const

/** Schema keywords under which the keys are names that the author chose. */
const NAME_HOLDERS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
/** Keywords whose values the server fills in or limits to a choice. */
const FIXED_VALUES = new Set(['default', 'const', 'enum'])

interface Visit {
  readonly value: unknown
  readonly path: string
  readonly depth: number
  readonly role: TextRole
  readonly property: string
  /** The JSON Schema keyword to which this value belongs, or an empty string. */
  readonly keyword: string
}

/**
 * Collects every string in a definition with its path: values, and names of properties. The traversal is iterative and
 * bounded, which limits the cost of a cyclic, deep or wide definition.
 */
export function gatherTexts(definition: unknown): GatheredTexts {
  const texts: FoundText[] = []
  const stack: Visit[] = FIELDS.toReversed().map(field => ({
    value: readOwn(definition, field),
    path: `/${field}`,
    depth: 0,
    role: field === 'name' ? 'name' : 'text',
    property: '',
    keyword: field,
  }))
  let stoppedAt: string | undefined
  for (let nodes = 0; nodes <= MAX_NODES; nodes += 1) {
    const visit = stack.pop()
    if (visit === undefined) break
    const { value, path, role, property } = visit
    if (typeof value === 'string') texts.push({ path, role, property, text: value })
    else if (typeof value === 'object' && value !== null) {
      if (visit.depth === MAX_DEPTH) stoppedAt ??= path
      else pushChildren(stack, visit, texts)
    }
  }
  stoppedAt ??= stack.at(-1)?.path
  return stoppedAt === undefined ? { texts } : { texts, stoppedAt }
}

function pushChildren(stack: Visit[], parent: Visit, texts: FoundText[]): void {
  const keys = Object.keys(parent.value as object).slice(0, MAX_NODES)
  const isList = Array.isArray(parent.value)
  const holdsNames = NAME_HOLDERS.has(parent.keyword) && !isList
  for (const key of keys.toReversed()) {
    // Where keys are names, a key such as "default" is a property's name and not a keyword.
    const keyword = holdsNames ? '' : isList ? parent.keyword : key
    stack.push({
      value: readOwn(parent.value, key),
      path: joinPointer(parent.path, key),
      depth: parent.depth + 1,
      role: FIXED_VALUES.has(keyword) ? 'default' : parent.role,
      property: holdsNames ? key : parent.property,
      keyword,
    })
  }
  if (!holdsNames) return
  for (const key of keys)
    texts.push({ path: joinPointer(parent.path, key), role: 'property', text: key, property: key })
}

/** Appends a key to a JSON pointer (RFC 6901). A long key, which could be hostile, is cut. */
function joinPointer(path: string, key: string): string {
  return `${path}/${key.slice(0, MAX_STEP).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

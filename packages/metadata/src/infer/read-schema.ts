import { ACTION_PARAMETERS } from './parameter-table.ts'
import { MAX_NAME_LENGTH, splitWords } from './split-words.ts'

/** An input parameter, with what inference needs to know about it. */
export interface Parameter {
  readonly name: string
  /** The parameter's name as lower-case words joined by `_`. */
  readonly key: string
  /**
   * The values of a parameter that selects an action, from `enum`, `const` and their combinations. Empty for all other
   * parameters.
   */
  readonly choices: readonly string[]
  /** True if the schema accepts free text, rather than a number, a flag or one of several choices. */
  readonly isText: boolean
  /** The author's words about it, unchecked. */
  readonly description: unknown
}

/** Maximum number of nodes to visit in a schema, however deep, wide or cyclic it is. */
const MAX_VISITS = 600
export const MAX_PARAMETERS = 64
const MAX_CHOICES = 64
const MAX_DEPTH = 3
const UNDERSCORE = 95
const COMBINERS = ['oneOf', 'anyOf', 'allOf'] as const

const NOT_TEXT: ReadonlySet<unknown> = new Set(['number', 'integer', 'boolean'])

/** Names of parameters that only wrap the real ones, as in `{ params: { … } }`. */
const WRAPPERS = new Set(['params', 'input', 'args', 'arguments', 'request', 'body', 'payload', 'options'])

interface Visit {
  readonly found: Map<string, Omit<Parameter, 'name'> & { readonly choices: string[] }>
  left: number
}

/** Reads an object's own property, never one from a prototype. A getter that throws counts as absent. */
export function readOwn(holder: unknown, key: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined
  try {
    return Object.hasOwn(holder, key) ? (holder as Record<string, unknown>)[key] : undefined
  } catch {
    return undefined
  }
}

/** Reads the parameters in `properties`, and those in the branches of a oneOf, anyOf or allOf at the root. */
export function readParameters(schema: unknown): readonly Parameter[] {
  const visit: Visit = { found: new Map(), left: MAX_VISITS }
  readProperties(schema, 0, visit)
  const parameters: Parameter[] = []
  for (const [name, own] of visit.found) parameters.push({ name, ...own })
  return parameters
}

function readProperties(schema: unknown, depth: number, visit: Visit): void {
  if (visit.left-- <= 0) return
  const properties = readOwn(schema, 'properties')
  if (typeof properties === 'object' && properties !== null && !Array.isArray(properties)) {
    for (const name of Object.keys(properties).slice(0, MAX_PARAMETERS)) {
      const own = readOwn(properties, name)
      const known = visit.found.get(name) ?? {
        key: toKey(name),
        choices: [],
        isText: readOwn(own, 'enum') === undefined && !NOT_TEXT.has(readOwn(own, 'type')),
        description: readOwn(own, 'description'),
      }
      if (visit.found.size < MAX_PARAMETERS) visit.found.set(name, known)
      if (ACTION_PARAMETERS.has(known.key)) readChoices(own, 0, { choices: known.choices, visit })
      if (depth === 0 && WRAPPERS.has(known.key)) readProperties(own, 1, visit)
    }
  }
  for (const branch of readBranches(schema, depth)) readProperties(branch, depth + 1, visit)
}

/** Converts a name to lower-case words joined by `_`. Most names already have this form and need no splitting. */
function toKey(name: string): string {
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at)
    const isPlain = (code >= 97 && code <= 122) || (code === UNDERSCORE && at > 0)
    if (!isPlain) return splitWords(name).join('_')
  }
  return name.length > MAX_NAME_LENGTH ? '' : name
}

function readBranches(schema: unknown, depth: number): readonly unknown[] {
  const all: unknown[] = []
  if (depth >= MAX_DEPTH) return all
  for (const combiner of COMBINERS) {
    const branches = readOwn(schema, combiner)
    if (Array.isArray(branches)) all.push(...branches.slice(0, MAX_CHOICES))
  }
  return all
}

function readChoices(schema: unknown, depth: number, into: { choices: string[]; visit: Visit }): void {
  if (typeof schema !== 'object' || schema === null || into.visit.left-- <= 0) return
  const values = readOwn(schema, 'enum')
  if (Array.isArray(values)) {
    for (const value of values.slice(0, MAX_CHOICES)) addChoice(value, into.choices)
  }
  addChoice(readOwn(schema, 'const'), into.choices)
  for (const branch of readBranches(schema, depth)) readChoices(branch, depth + 1, into)
  if (depth < MAX_DEPTH) readChoices(readOwn(schema, 'items'), depth + 1, into)
}

function addChoice(value: unknown, choices: string[]): void {
  if (typeof value === 'string' && choices.length < MAX_CHOICES) choices.push(value)
}

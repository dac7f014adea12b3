import type { Json } from '../../protocol/messages.ts'
import { leafValues, type Scalar, writeCel } from './write-cel.ts'

/**
 * What is known about one argument. `values`: each value is one of a few, or a list of these. `range`: a number between
 * the smallest and the largest that was approved. `free`: text that can be anything.
 */
type ArgumentShape =
  | { readonly kind: 'values'; readonly values: readonly Scalar[]; readonly isList: boolean }
  | { readonly kind: 'prefix'; readonly prefix: string }
  | { readonly kind: 'exact'; readonly values: readonly unknown[] }
  | { readonly kind: 'range'; readonly min: number; readonly max: number }
  | { readonly kind: 'free' }

/** The shape of the arguments of some calls. No other argument is covered. */
export interface Shape {
  readonly arguments: ReadonlyMap<string, ArgumentShape>
  /** The arguments that every call has. */
  readonly always: ReadonlySet<string>
}

export interface ShapeOptions {
  /** The arguments that say whom or what a call reaches. */
  readonly targets: ReadonlySet<string>
  /** How many approved calls must have had a value before the rule lists it. */
  readonly minSupport: number
  /** Whether a rule can cover many values by their common beginning. */
  readonly mayGeneralise: boolean
  /** Values that must not be covered. */
  readonly excluded: ReadonlySet<string>
}

const MOST_VALUES = 20
const LONGEST_VALUE = 200
const MANY = 5
const SHORTEST_PREFIX = 4
const DATE = /^\d{4}-\d\d-\d\d/
/** Matches values that the log changed, so that they are not what the call contained. */
// oxlint-disable-next-line no-control-regex -- the log replaces them
const CHANGED = /\[(?:masked|cut|redacted:)|…\[\d+ characters|[\u0000-\u001f\u007f]/

/** Describes the arguments of approved calls. Undefined if they have nothing in common that is narrow enough. */
export function findShape(calls: readonly Json[], options: ShapeOptions): Shape | undefined {
  const keys = [...new Set(calls.flatMap(args => Object.keys(args)))].toSorted()
  const found = new Map<string, ArgumentShape>()
  for (const key of keys) {
    if (CHANGED.test(key)) return undefined
    const values = calls.flatMap(args => (Object.hasOwn(args, key) ? [args[key]] : []))
    const shape = shapeOf(values, options.targets.has(key), options)
    if (shape === undefined) return undefined
    found.set(key, shape)
  }
  const always = new Set(keys.filter(key => calls.every(args => Object.hasOwn(args, key))))
  return { arguments: found, always }
}

function shapeOf(
  values: readonly unknown[],
  isTarget: boolean,
  options: ShapeOptions,
): ArgumentShape | undefined {
  if (values.every(value => typeof value === 'number') && !isTarget)
    return { kind: 'range', min: Math.min(...values), max: Math.max(...values) }
  if (values.every(isText) && !isTarget && values.some(isProse)) return { kind: 'free' }
  const flat = values.map(leafValues)
  if (flat.some(one => one === undefined)) return exactly(values)
  const lists = flat.flatMap(one => (one === undefined ? [] : [one]))
  return fewValues(lists, values.some(Array.isArray), options) ?? oneBeginning(lists, options)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Words with spaces, dates and empty texts are content; a single word can be an address, a name or a mode. */
function isProse(text: string): boolean {
  return text === '' || /\s/.test(text.trim()) || DATE.test(text) || text.length > LONGEST_VALUE
}

function fewValues(
  lists: readonly (readonly Scalar[])[],
  isList: boolean,
  { minSupport, excluded }: ShapeOptions,
): ArgumentShape | undefined {
  const support = new Map<Scalar, number>()
  for (const list of lists)
    for (const value of new Set(list)) support.set(value, (support.get(value) ?? 0) + 1)
  const values = [...support]
    .filter(([value, count]) => count >= minSupport && isSound(value) && !excluded.has(String(value)))
    .map(([value]) => value)
    .toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
  return values.length === 0 || values.length > MOST_VALUES ? undefined : { kind: 'values', values, isList }
}

/** Covers many values by their common beginning, such as `tmp/build/`, whether or not somebody approved each one. */
function oneBeginning(
  lists: readonly (readonly Scalar[])[],
  options: ShapeOptions,
): ArgumentShape | undefined {
  const texts = [...new Set(lists.map(list => (list.length === 1 ? list[0] : undefined)))]
  if (!options.mayGeneralise || texts.length < MANY || options.excluded.size > 0 || !texts.every(isSoundText))
    return undefined
  const prefix = commonStart(texts).replace(/[^/:_-]*$/, '')
  return prefix.length < SHORTEST_PREFIX ? undefined : { kind: 'prefix', prefix }
}

function isSoundText(value: Scalar | undefined): value is string {
  return typeof value === 'string' && isSound(value)
}

function commonStart(texts: readonly string[]): string {
  return texts.reduce((start, text) => {
    let length = 0
    while (length < start.length && start[length] === text[length]) length += 1
    return start.slice(0, length)
  })
}

function isSound(value: Scalar): boolean {
  if (typeof value !== 'string') return true
  return value !== '' && value.length <= LONGEST_VALUE && value.isWellFormed() && !CHANGED.test(value)
}

const MOST_EXACT = 5
const LONGEST_EXACT = 500

/** Covers nested values only exactly as they were approved. */
function exactly(values: readonly unknown[]): ArgumentShape | undefined {
  const texts = [...new Set(values.map(value => JSON.stringify(value)))]
  const isShort =
    texts.length <= MOST_EXACT && texts.every(text => text.length <= LONGEST_EXACT && !CHANGED.test(text))
  return isShort ? { kind: 'exact', values: texts.map(text => JSON.parse(text) as unknown) } : undefined
}

/** Writes the condition that is true for calls of this shape. */
export function conditionOf(shape: Shape): string {
  const keys = [...shape.arguments.keys()]
  const known = keys.length === 0 ? 'size(args) == 0' : `args.all(key, key in ${writeCel(keys)})`
  const parts = [...shape.arguments].flatMap(([key, one]) => {
    const path = `args[${writeCel(key)}]`
    const test = testOf(one, path)
    if (test === undefined) return []
    return shape.always.has(key) ? [test] : [`(!(${writeCel(key)} in args) || ${test})`]
  })
  const required = [...shape.always].map(key => `${writeCel(key)} in args`)
  return [known, ...required, ...parts].join(' &&\n')
}

function testOf(shape: ArgumentShape, path: string): string | undefined {
  switch (shape.kind) {
    case 'values': {
      return shape.isList
        ? `type(${path}) == list && ${path}.all(one, ${oneOf('one', shape.values)})`
        : oneOf(path, shape.values)
    }
    case 'prefix': {
      // A path could lead out of that place again, even in an encoded form that the server decodes.
      const ways = ['..', '%', '\\'].map(way => `!${path}.contains(${writeCel(way)})`)
      const begins = `type(${path}) == string && ${path}.startsWith(${writeCel(shape.prefix)})`
      return [begins, ...ways].join(' && ')
    }
    case 'exact':
      return oneOf(path, shape.values)
    case 'range':
      return `double(${path}) >= ${writeDouble(shape.min)} && double(${path}) <= ${writeDouble(shape.max)}`
    case 'free':
      return undefined
  }
}

/** All values of a list in CEL have one type, so values of different types are compared one by one. */
function oneOf(path: string, values: readonly unknown[]): string {
  if (values.every(value => typeof value === 'string')) return `${path} in ${writeCel(values)}`
  return `(${values.map(value => `${path} == ${writeCel(value)}`).join(' || ')})`
}

function writeDouble(value: number): string {
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

/** Says what the calls have in common, such as `recipient is one of 3 values`. */
export function sayShape(shape: Shape): string {
  const parts = [...shape.arguments].flatMap(([key, one]) => sayArgument(key, one))
  return parts.length === 0 ? 'with no arguments' : `when ${parts.join(', ')}`
}

function sayArgument(key: string, shape: ArgumentShape): readonly string[] {
  switch (shape.kind) {
    case 'values':
      return [`${key} is ${sayValues(shape.values)}`]
    case 'exact':
      return [`${key} is ${sayValues(shape.values)}`]
    case 'prefix':
      return [`${key} begins with ${JSON.stringify(shape.prefix)}`]
    case 'range':
      return [shape.min === shape.max ? `${key} is ${shape.min}` : `${key} is ${shape.min} to ${shape.max}`]
    case 'free':
      return []
  }
}

function sayValues(values: readonly unknown[]): string {
  return values.length <= 3
    ? values.map(value => JSON.stringify(value)).join(' or ')
    : `one of ${values.length} values`
}

/** Returns the arguments whose values the shape fixes, so that text in a result cannot choose others. */
export function boundArguments(shape: Shape): readonly string[] {
  return [...shape.arguments].flatMap(([key, { kind }]) => (kind === 'free' || kind === 'range' ? [] : [key]))
}

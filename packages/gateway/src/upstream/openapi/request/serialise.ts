import { isJsonObject } from '../../../protocol/messages.ts'
import { isText, writeJson } from '../../../protocol/parse-json.ts'
import type { Parameter } from '../document/operation.ts'

/** An argument that cannot be sent. The message says what is wrong with it, and completes "the argument x …". */
export class UnusableArgument extends Error {
  readonly argument: string

  constructor(argument: string, problem: string) {
    super(`the argument ${argument} ${problem}`)
    this.argument = argument
  }
}

type Pair = readonly [string, string]

/** Characters that `encodeURIComponent` leaves as they are although some servers give them a meaning. */
const LEFT = /[!'()*]/g
/** Characters that stay unencoded if the document says so. `#` and `%` would end or change the query. */
const RESERVED = /%(?:3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2C|3B)/g

export function encode(text: string): string {
  // A lone surrogate cannot be encoded, and no server could read it.
  const plain = text.toWellFormed()
  return encodeURIComponent(plain).replace(LEFT, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Returns a value as it is written outside of JSON. Numbers keep all their digits. */
export function toText(value: unknown): string {
  return isText(value) ? value : writeJson(value)
}

/** Returns a value as one part of a path. It never leaves the place that the document gives it. */
export function writePath(parameter: Parameter, value: unknown): string {
  const { name, style, explode } = parameter
  const parts = writeSegments(parameter, value)
  if (style === 'label') return `.${parts.join(explode ? '.' : ',')}`
  if (style !== 'matrix') return parts.join(',')
  if (!explode) return `;${encode(name)}=${parts.join(',')}`
  return parts.map(part => `;${isJsonObject(value) ? part : `${encode(name)}=${part}`}`).join('')
}

function writeSegments(parameter: Parameter, value: unknown): readonly string[] {
  const { style, explode, argument, isLong } = parameter
  const groups = style === 'json' ? [[writeJson(value)]] : groupsOf(value, explode)
  if (groups.length === 0) throw new UnusableArgument(argument, NO_PATH)
  for (const text of groups.flat()) checkSegment(text, { argument, isLong })
  const written = groups.map(group => group.map(encode).join('='))
  return isLong ? written.map(text => text.replaceAll('%2F', '/')) : written
}

const NO_PATH = 'must not be empty, "." or "..", because it is a part of the path'

/**
 * Refuses a text that a server could read as another path. Many servers decode an encoded slash before they look for the
 * operation.
 */
function checkSegment(text: string, { argument, isLong }: Pick<Parameter, 'argument' | 'isLong'>): void {
  if (text.includes('\\') || (text.includes('/') && !isLong))
    throw new UnusableArgument(argument, 'must not contain a slash, because it is a part of the path')
  // Servers of Java drop everything from the first semicolon, and only then look at the dots.
  const steps = text.split('/').map(step => step.replaceAll(/%2e/gi, '.').replace(/(?:;|%3b).*$/is, ''))
  if (steps.some(step => step === '' || step === '.' || step === '..'))
    throw new UnusableArgument(argument, NO_PATH)
  if (/%(?:2f|5c|00)/i.test(text) || UNSEEN.test(text))
    throw new UnusableArgument(argument, 'must not contain control characters or an encoded slash')
}

// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const UNSEEN = /[\u0000-\u001f\u007f]/

/** Returns the items of a list, the names and values of an object, or a single value, as texts. */
function groupsOf(value: unknown, explode: boolean): readonly (readonly string[])[] {
  if (Array.isArray(value)) return value.map(item => [toText(item)])
  if (!isJsonObject(value)) return [[toText(value)]]
  const pairs = Object.entries(value).map(([key, held]) => [key, toText(held)])
  return explode ? pairs : pairs.flat().map(text => [text])
}

const SEPARATORS: Readonly<Partial<Record<Parameter['style'], string>>> = {
  form: ',',
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
}

/** Returns the members of a query for one argument, encoded. */
export function writeQuery(parameter: Parameter, value: unknown): readonly string[] {
  const { isReserved } = parameter
  const shown = (text: string) =>
    isReserved ? encode(text).replace(RESERVED, decodeURIComponent) : encode(text)
  return pairsOf(parameter, value, shown).map(([name, text]) => `${encode(name)}=${text}`)
}

function pairsOf(parameter: Parameter, value: unknown, shown: (text: string) => string): readonly Pair[] {
  const { name, style, explode } = parameter
  if (style === 'json') return [[name, shown(writeJson(value))]]
  if (style === 'deepObject') return deepPairs(name, value, 0).map(([key, text]) => [key, shown(text)])
  if (Array.isArray(value)) {
    if (explode) return value.map(item => [name, shown(toText(item))])
    return value.length === 0
      ? []
      : [[name, value.map(item => shown(toText(item))).join(SEPARATORS[style] ?? ',')]]
  }
  if (!isJsonObject(value)) return [[name, shown(toText(value))]]
  const members = Object.entries(value).map(([key, held]): Pair => [key, shown(toText(held))])
  return explode ? members : [[name, members.map(([key, text]) => `${shown(key)},${text}`).join(',')]]
}

const MOST_DEPTH = 8

function deepPairs(name: string, value: unknown, depth: number): readonly Pair[] {
  if (depth > MOST_DEPTH) throw new UnusableArgument(name, `is nested more than ${MOST_DEPTH} levels deep`)
  if (Array.isArray(value)) return value.flatMap(item => deepPairs(`${name}[]`, item, depth + 1))
  if (!isJsonObject(value)) return [[name, toText(value)]]
  return Object.entries(value).flatMap(([key, held]) => deepPairs(`${name}[${key}]`, held, depth + 1))
}

/** Returns a value as one header or cookie. */
export function writeSimple({ style, explode }: Parameter, value: unknown): string {
  if (style === 'json') return writeJson(value)
  return groupsOf(value, explode)
    .map(group => group.join('='))
    .join(',')
}

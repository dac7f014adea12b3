import { nearest, showUntrusted } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { exactDigits } from '../protocol/parse-json.ts'
import { cutJson } from './cut-json.ts'
import { isOfType, kindOf, NO } from './kinds.ts'
import type { Finding, Step } from './run.ts'

interface Sentence extends Finding {
  readonly schema: Json
  /** The keyword's value in the schema, as text. */
  readonly bound: string
}

const WORDS: Readonly<Record<string, (sentence: Sentence) => string>> = {
  type: describeType,
  const: sentence => describeChoice([sentence]),
  enum: sentence => describeChoice([sentence]),
  alternatives: describeAlternatives,
  required: describeMissing,
  dependentRequired: ({ detail }) => `the field ${showValue(detail)}, which other fields require`,
  additionalProperties: describeUnknown,
  unevaluatedProperties: describeUnknown,
  propertyNames: describeName,
  minLength: ({ bound }) => `a string of at least ${count(bound, 'character')}`,
  maxLength: ({ bound }) => `a string of at most ${count(bound, 'character')}`,
  pattern: ({ schema }) => `a string that matches the pattern ${showUntrusted(String(schema.pattern), 200)}`,
  minimum: ({ bound, schema }) =>
    schema.exclusiveMinimum === true ? `more than ${bound}` : `${bound} or more`,
  maximum: ({ bound, schema }) =>
    schema.exclusiveMaximum === true ? `less than ${bound}` : `${bound} or less`,
  exclusiveMinimum: ({ bound }) => `more than ${bound}`,
  exclusiveMaximum: ({ bound }) => `less than ${bound}`,
  multipleOf: ({ bound }) => `a multiple of ${bound}`,
  minItems: ({ bound }) => `at least ${count(bound, 'item')}`,
  maxItems: ({ bound }) => `at most ${count(bound, 'item')}`,
  uniqueItems: () => 'items that all differ',
  contains: ({ detail, schema }) =>
    `at least ${count(showValue(detail), 'item')} matching ${showValue(schema.contains)}`,
  maxContains: ({ detail, schema }) =>
    `at most ${count(showValue(detail), 'item')} matching ${showValue(schema.contains)}`,
  minProperties: ({ bound }) => `at least ${count(bound, 'field')}`,
  maxProperties: ({ bound }) => `at most ${count(bound, 'field')}`,
  not: ({ bound }) => `anything that does not match ${bound}`,
  oneOf: ({ detail }) =>
    `a value that matches exactly one alternative; this one matches ${showValue(detail)}`,
}

/** Describes the expected value; completes the sentence "expected …". */
export function describeFinding(finding: Finding): string {
  const schema = isJsonObject(finding.schema) ? finding.schema : {}
  const describe = WORDS[finding.keyword]
  if (describe === undefined) return 'nothing: the schema allows no value here'
  return describe({ ...finding, schema, bound: showValue(schema[finding.keyword]) })
}

function describeMissing({ detail, value, schema }: Sentence): string {
  const known = new Set(namesOf(schema))
  const unknown = isJsonObject(value) ? Object.keys(value).filter(name => !known.has(name)) : []
  // If the schema declares no fields, the fields of the value cannot be misspellings of declared ones.
  const instead = known.size > 0 ? findNearest(String(detail), unknown) : undefined
  const hint = instead === undefined ? '' : ` (found ${quote(instead)} instead)`
  return `the field ${quote(String(detail))}, which is missing${hint}`
}

function describeUnknown({ detail, schema }: Sentence): string {
  return `no field ${quote(String(detail))}${suggest(String(detail), namesOf(schema))}`
}

function describeName({ detail, parts = [] }: Sentence): string {
  const [first] = parts
  const rule = first === undefined ? 'allowed' : describeFinding(first)
  return `every field name to be ${rule}; ${quote(String(detail))} is not`
}

function namesOf({ properties }: Json): readonly string[] {
  return isJsonObject(properties) ? Object.keys(properties) : []
}

function count(number: string, what: string): string {
  return `${number} ${what}${number === '1' ? '' : 's'}`
}

const MAX_SHOWN = 20

function describeType({ schema, value }: Finding): string {
  return `${nameTypes(schema)}, not ${nameKind(value)}`
}

function nameTypes(schema: unknown): string {
  const { type, format }: Json = isJsonObject(schema) ? schema : {}
  const names: readonly unknown[] = Array.isArray(type) ? type : [type]
  const words = names
    .slice(0, MAX_SHOWN)
    .map(name => TYPE_WORDS[String(name)] ?? showUntrusted(String(name)))
    .join(' or ')
  return typeof format === 'string' && type === 'string' ? `${words} (${showUntrusted(format)})` : words
}

/** Describes `const` and `enum` of one schema or of several alternatives. */
function describeChoice(findings: readonly Finding[]): string {
  const values = findings.flatMap(readChoice)
  const sent = findings[0]?.value
  const hint =
    typeof sent === 'string'
      ? suggest(
          sent,
          values.filter(value => typeof value === 'string'),
        )
      : ''
  const shown = values.slice(0, MAX_SHOWN).map(value => showValue(value))
  if (values.length === 1) return `${shown[0]}`
  const more = values.length > MAX_SHOWN ? `, … (${values.length} in all)` : ''
  return `one of ${shown.join(', ')}${more}${hint}`
}

function readChoice({ keyword, schema }: Finding): readonly unknown[] {
  if (!isJsonObject(schema)) return []
  return keyword === 'enum' && Array.isArray(schema.enum) ? schema.enum : [schema.const]
}

function describeAlternatives(finding: Finding): string {
  const parts = flatten(finding)
  const types = parts.filter(({ keyword }) => keyword === 'type').map(({ schema }) => nameTypes(schema))
  const choices = parts.filter(({ keyword }) => keyword === 'const' || keyword === 'enum')
  const words = choices.length > 0 ? [describeChoice(choices), ...types] : types
  const text = [...new Set(words)].slice(0, MAX_SHOWN).join(' or ')
  return choices.length > 0 ? text : `${text}, not ${nameKind(finding.value)}`
}

function flatten({ parts = [] }: Finding): readonly Finding[] {
  return parts.flatMap(part => (part.keyword === 'alternatives' ? flatten(part) : [part]))
}

const LONGEST_VALUE = 120
const MAX_NAMES = 200

/** JSON types as named in sentences. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

function nameKind(value: unknown): string {
  const kind = kindOf(value)
  const isFraction = kind === 'number' && isOfType(value, 'integer') === NO
  return isFraction ? 'a fraction' : (TYPE_WORDS[kind] ?? 'this')
}

function quote(name: string): string {
  return `"${showUntrusted(name)}"`
}

function showValue(value: unknown): string {
  if (typeof value === 'string') return exactDigits(value) ?? quote(value)
  return showUntrusted(JSON.stringify(cutJson(value, LONGEST_VALUE)) ?? '', LONGEST_VALUE)
}

function suggest(word: string, known: readonly string[]): string {
  const meant = findNearest(word, known)
  return meant === undefined ? '' : ` (did you mean ${quote(meant)}?)`
}

/**
 * Finds the name that resembles a word most. The search is limited, because untrusted names can be many and long, and
 * the time for a comparison grows with the product of both lengths.
 */
function findNearest(word: string, known: readonly string[]): string | undefined {
  return nearest(
    word,
    known.slice(0, MAX_NAMES).filter(name => name.length <= 64),
  )
}

const PLAIN = /^[\p{L}_$][\w$-]{0,63}$/u
const LONGEST_PATH = 300

/** Writes a path in the arguments in JavaScript notation, such as `to[0].address` or `headers["x y"]`. */
export function showPath(path: readonly Step[]): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (PLAIN.test(step)) text += text === '' ? step : `.${step}`
    else text += `["${showUntrusted(step, 64)}"]`
  }
  return text.length > LONGEST_PATH ? `…${text.slice(-LONGEST_PATH)}` : text
}

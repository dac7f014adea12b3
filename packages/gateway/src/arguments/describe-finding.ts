import { showUntrusted } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { describeAlternatives, describeChoice, describeType } from './describe-choice.ts'
import type { Finding } from './finding.ts'
import type { DigitsOf } from './rules.ts'
import { findNearest, quote, showValue, suggest } from './show-value.ts'

interface Sentence extends Finding {
  readonly schema: Json
  readonly digitsOf: DigitsOf
  readonly show: (value: unknown) => string
  /** The keyword's value in the schema. */
  readonly bound: string
}

const WORDS: Readonly<Record<string, (sentence: Sentence) => string>> = {
  type: sentence => describeType(sentence, sentence.digitsOf),
  const: sentence => describeChoice([sentence], sentence.digitsOf),
  enum: sentence => describeChoice([sentence], sentence.digitsOf),
  alternatives: sentence => describeAlternatives(sentence, sentence.digitsOf),
  required: describeMissing,
  dependentRequired: ({ detail, show }) => `the field ${show(detail)}, which other fields there ask for`,
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
  contains: ({ detail, schema, show }) =>
    `at least ${count(show(detail), 'item')} matching ${show(schema.contains)}`,
  maxContains: ({ detail, schema, show }) =>
    `at most ${count(show(detail), 'item')} matching ${show(schema.contains)}`,
  minProperties: ({ bound }) => `at least ${count(bound, 'field')}`,
  maxProperties: ({ bound }) => `at most ${count(bound, 'field')}`,
  not: ({ bound }) => `anything that does not match ${bound}`,
  oneOf: ({ detail, show }) => `what fits exactly one of the alternatives; this fits ${show(detail)}`,
}

/** What would have fitted, in words that finish "expected …". */
export function describeFinding(finding: Finding, digitsOf: DigitsOf): string {
  const schema = isJsonObject(finding.schema) ? finding.schema : {}
  const show = (value: unknown) => showValue(value, digitsOf)
  const describe = WORDS[finding.keyword]
  if (describe === undefined) return 'nothing: the schema allows no value here'
  return describe({ ...finding, schema, digitsOf, show, bound: show(schema[finding.keyword]) })
}

function describeMissing({ detail, value, schema }: Sentence): string {
  const known = new Set(namesOf(schema))
  const strangers = isJsonObject(value) ? Object.keys(value).filter(name => !known.has(name)) : []
  // Without a list of fields, any field may be a stranger.
  const instead = known.size > 0 ? findNearest(String(detail), strangers) : undefined
  const hint = instead === undefined ? '' : ` (there is ${quote(instead)} instead)`
  return `the field ${quote(String(detail))}, which is missing${hint}`
}

function describeUnknown({ detail, schema }: Sentence): string {
  return `no field ${quote(String(detail))}${suggest(String(detail), namesOf(schema))}`
}

function describeName({ detail, parts = [], digitsOf }: Sentence): string {
  const [first] = parts
  const rule = first === undefined ? 'allowed' : describeFinding(first, digitsOf)
  return `every field name to be ${rule}; ${quote(String(detail))} is not`
}

function namesOf({ properties }: Json): readonly string[] {
  return isJsonObject(properties) ? Object.keys(properties) : []
}

function count(number: string, what: string): string {
  return `${number} ${what}${number === '1' ? '' : 's'}`
}

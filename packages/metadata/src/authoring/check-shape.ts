import { findJsonProblems, joinPath } from '../definition/json-problems.ts'
import { isObject, own } from '../definition/own-property.ts'
import { isOperation, OPERATIONS } from '../derive/operations.ts'
import { isReach, REACHES } from '../derive/reach.ts'
import type { Finding } from '../finding.ts'
import { HINT_NAMES } from '../hint/hints.ts'
import { didYouMean } from './did-you-mean.ts'
import { isServiceDomain, SERVICE_DOMAINS } from './service-domains.ts'

export const MAX_TAGS = 40
/** The prefix of all `_meta` keys that Hintgate reserves. */
const META_PREFIX = 'io.hintgate/'

/** Mistakes in the form of metadata. They are errors even with `strict: false`. */
export const SHAPE_RULES = [
  {
    code: 'extras-not-json',
    condition: 'a value in extras that JSON cannot represent; one finding for each path',
  },
  { code: 'unknown-field', condition: 'a field that the schema does not define' },
  { code: 'unknown-operation', condition: `an operation other than ${OPERATIONS.join(', ')}` },
  { code: 'unknown-domain', condition: 'a service domain that is not one of the thirty' },
  { code: 'not-boolean', condition: 'a flag that is not a boolean, such as "yes" or 1' },
  {
    code: 'wrong-type',
    condition: 'a field of the wrong type, such as a number instead of a string',
  },
  { code: 'reserved-meta', condition: `a key in the author's _meta that starts with ${META_PREFIX}` },
  { code: 'too-many-tags', condition: `more than ${MAX_TAGS} tags` },
] as const

type ShapeCode = (typeof SHAPE_RULES)[number]['code']

function shapeFinding(code: ShapeCode, path: string, message: string, fix: string): Finding {
  return { code, level: 'error', path, message, fix }
}

const FIELDS = ['title', 'classification', 'behavior', 'action', 'tags', 'extras', 'strict', '_meta']
const BEHAVIOR_FIELDS = ['operations', 'reach', ...HINT_NAMES]

/** Lists all differences between a value and the shape of `ToolMetadata`. */
export function checkShape(metadata: unknown): Finding[] {
  if (!isObject(metadata)) {
    return [
      shapeFinding(
        'wrong-type',
        '',
        'Metadata must be an object.',
        'Pass an object such as { behavior: {…} }.',
      ),
    ]
  }
  const behavior = own(metadata, 'behavior')
  const classification = own(metadata, 'classification')
  return [
    ...unknownFields(metadata, FIELDS, ''),
    ...checkObject(classification, 'classification'),
    ...unknownFields(classification, ['serviceDomains'], 'classification'),
    ...checkDomains(own(classification, 'serviceDomains'), 'classification.serviceDomains'),
    ...checkObject(behavior, 'behavior'),
    ...unknownFields(behavior, BEHAVIOR_FIELDS, 'behavior'),
    ...checkOperations(own(behavior, 'operations'), 'behavior.operations'),
    ...checkReach(own(behavior, 'reach'), 'behavior.reach'),
    ...HINT_NAMES.flatMap(hint => checkBoolean(own(behavior, hint), `behavior.${hint}`)),
    ...checkBoolean(own(metadata, 'strict'), 'strict'),
    ...checkText(own(metadata, 'title'), 'title'),
    ...checkText(own(metadata, 'action'), 'action'),
    ...checkTags(own(metadata, 'tags'), 'tags'),
    ...checkExtras(own(metadata, 'extras'), 'extras'),
    ...checkMeta(own(metadata, '_meta'), '_meta'),
  ]
}

export function checkBoolean(value: unknown, path: string): Finding[] {
  if (value === undefined || typeof value === 'boolean') return []
  return [shapeFinding('not-boolean', path, `${describe(value)} is not a boolean.`, 'Use true or false.')]
}

export function checkOperations(value: unknown, path: string): Finding[] {
  return checkList(value, path, (item, itemPath) =>
    isOperation(item)
      ? undefined
      : shapeFinding(
          'unknown-operation',
          itemPath,
          `${describe(item)} is not an operation.${suggestion(item, OPERATIONS)}`,
          `Use one of ${OPERATIONS.join(', ')}.`,
        ),
  )
}

export function checkDomains(value: unknown, path: string): Finding[] {
  return checkList(value, path, (item, itemPath) =>
    isServiceDomain(item)
      ? undefined
      : shapeFinding(
          'unknown-domain',
          itemPath,
          `${describe(item)} is not a service domain.${suggestion(item, SERVICE_DOMAINS)}`,
          'Use one of the thirty service domains, or omit the list. It is optional.',
        ),
  )
}

export function checkReach(value: unknown, path: string): Finding[] {
  if (value === undefined || isReach(value)) return []
  const message = `${describe(value)} is not a valid reach.${suggestion(value, REACHES)}`
  return [shapeFinding('wrong-type', path, message, `Use one of ${REACHES.join(', ')}.`)]
}

export function checkTags(value: unknown, path: string): Finding[] {
  const findings = checkList(value, path, (item, itemPath) =>
    typeof item === 'string'
      ? undefined
      : shapeFinding('wrong-type', itemPath, `${describe(item)} is not a valid tag.`, 'Use strings as tags.'),
  )
  if (Array.isArray(value) && value.length > MAX_TAGS) {
    const message = `The list has ${value.length} tags; the maximum is ${MAX_TAGS}.`
    findings.push(
      shapeFinding('too-many-tags', path, message, 'Keep only the tags that help people find the tool.'),
    )
  }
  return findings
}

export function checkExtras(value: unknown, path: string): Finding[] {
  if (value === undefined) return []
  if (!isObject(value)) return checkObject(value, path)
  return findJsonProblems(value, path).map(problem =>
    shapeFinding(
      'extras-not-json',
      problem.path,
      `JSON cannot represent ${problem.problem}.`,
      'Use plain JSON values only.',
    ),
  )
}

export function checkText(value: unknown, path: string): Finding[] {
  if (value === undefined || typeof value === 'string') return []
  return [shapeFinding('wrong-type', path, `${describe(value)} is not a string.`, 'Use a string.')]
}

export function checkObject(value: unknown, path: string): Finding[] {
  if (value === undefined || isObject(value)) return []
  return [shapeFinding('wrong-type', path, `${describe(value)} is not an object.`, 'Use an object.')]
}

function unknownFields(value: unknown, known: readonly string[], path: string): Finding[] {
  if (!isObject(value)) return []
  const strangers = Object.keys(value).filter(key => !known.includes(key))
  return strangers
    .slice(0, 20)
    .map(key =>
      shapeFinding(
        'unknown-field',
        joinPath(path, key),
        `Unknown field ${describe(key)}.${didYouMean(key, known)}`,
        `Use one of these fields: ${known.join(', ')}.`,
      ),
    )
}

function checkMeta(value: unknown, path: string): Finding[] {
  if (!isObject(value)) return checkObject(value, path)
  const ours = Object.keys(value).filter(key => key.startsWith(META_PREFIX))
  return ours.map(key =>
    shapeFinding(
      'reserved-meta',
      joinPath(path, key),
      `${describe(key)} is reserved for Hintgate.`,
      "Use your own prefix. Set Hintgate's values through the metadata fields.",
    ),
  )
}

function checkList(
  value: unknown,
  path: string,
  check: (item: unknown, path: string) => Finding | undefined,
): Finding[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    return [shapeFinding('wrong-type', path, `${describe(value)} is not an array.`, 'Use an array.')]
  }
  return value
    .slice(0, 1000)
    .map((item, index) => check(item, `${path}[${index}]`))
    .filter(finding => finding !== undefined)
}

function suggestion(value: unknown, known: readonly string[]): string {
  return typeof value === 'string' ? didYouMean(value, known) : ''
}

/** Formats a value for a message, shortened and on one line. */
function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 39)}…` : value)
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}

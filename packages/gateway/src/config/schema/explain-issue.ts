import { nearest } from '@hintgate/metadata'
import type { z } from 'zod'
import type { Complaint, Path } from '../../base/errors/problem.ts'
import { explainChoice, suggest, TYPES } from '../../policy/guardrails/explain-problems.ts'
import { configJsonSchema, NAME_PATTERN, type SchemaNode } from './schema.ts'

type Issue = z.core.$ZodIssue

/** Explains schema issues, each with a fix. */
export function explainIssues(issues: readonly Issue[], value: unknown): Complaint[] {
  if (issues.length === 0) return []
  const schema = configJsonSchema()
  return issues.flatMap(issue => explainIssue(issue, { schema, value }))
}

interface Context {
  readonly schema: SchemaNode
  readonly value: unknown
}

function explainIssue(issue: Issue, context: Context): Complaint[] {
  const path = issue.path.filter(step => typeof step !== 'symbol')
  const node = schemaAt(context.schema, path)
  const example = node?.examples?.[0]
  const sample = example === undefined ? undefined : `use a form such as ${JSON.stringify(example)}`
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map(key => explainUnknownKey(key, path, node))
    case 'invalid_type':
      return [explainType(issue.expected, path, { found: valueAt(context.value, path), sample })]
    case 'invalid_value':
      return [{ path, ...explainChoice(issue.values, valueAt(context.value, path)) }]
    case 'custom':
      return [
        {
          path,
          message: issue.message,
          fix: sample ?? 'correct it',
          ...(issue.params as Partial<Complaint>),
        },
      ]
    case 'too_small':
    case 'too_big':
      return [{ path, ...explainRange(issue) }]
    default:
      return [{ path, message: issue.message, fix: sample ?? 'correct it' }]
  }
}

function explainUnknownKey(key: string, path: Path, node: SchemaNode | undefined): Complaint {
  const known = Object.keys(node?.properties ?? {})
  // Falls back to prefixes: `destructive` obviously means `destructiveHint`, but the edit distance between them is
  // large.
  const meant = nearest(key, known) ?? (key.length > 3 ? known.find(name => name.startsWith(key)) : undefined)
  return { path: [...path, key], aboutKey: true, message: 'unknown key', fix: suggest(key, known, meant) }
}

function explainType(expected: string, path: Path, about: { found: unknown; sample: string | undefined }) {
  const [name, fix] = TYPES[expected] ?? [expected, 'correct it']
  if (about.found === undefined)
    return { path: path.slice(0, -1), message: `"${String(path.at(-1))}" is missing`, fix: `add it: ${name}` }
  return { path, message: `expected ${name}, found ${nameType(about.found)}`, fix: about.sample ?? fix }
}

function nameType(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a number with a fraction'
  return TYPES[Array.isArray(value) ? 'array' : typeof value]?.[0] ?? typeof value
}

function explainRange(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig) {
  const isText = issue.origin === 'string'
  const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`
  return isText
    ? { message: `expected ${bound} characters`, fix: 'write a string of that length' }
    : { message: `expected ${bound}`, fix: 'write a number in that range' }
}

function schemaAt(root: SchemaNode, path: Path): SchemaNode | undefined {
  return path.reduce<SchemaNode | undefined>((node, step) => {
    if (typeof step === 'number') return node?.items
    if (node?.properties && Object.hasOwn(node.properties, step)) return node.properties[step]
    return typeof node?.additionalProperties === 'object' ? node.additionalProperties : undefined
  }, root)
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[step] : undefined,
    value,
  )
}

const NAME = new RegExp(NAME_PATTERN)

/**
 * Checks the names of servers and agents. The schema cannot do this, because it cannot compare keys, and an invalid
 * name would hide the problems below it.
 */
export function checkNames(value: unknown): Complaint[] {
  return [
    ...keysOf(value, 'mcpServers').flatMap((name, index, names) =>
      checkServerName(name, names.slice(0, index)),
    ),
    ...keysOf(value, 'agent_tokens').flatMap(checkTokenName),
    ...keysOf(value, 'toolsets').flatMap(checkSetName),
  ]
}

const PATTERN_FIX =
  'use 1 to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit'

function checkServerName(name: string, before: readonly string[]): Complaint[] {
  const complain = (message: string, fix: string) => [
    { path: ['mcpServers', name], aboutKey: true, message, fix },
  ]
  if (!NAME.test(name)) return complain('invalid server name', PATTERN_FIX)
  if (name.includes('__'))
    return complain(
      'a name must not contain "__", which separates server and tool',
      'use a single underscore',
    )
  const twin = before.find(other => other.toLowerCase() === name.toLowerCase())
  return twin === undefined
    ? []
    : complain(`the name differs from "${twin}" only in case`, 'choose another name')
}

function checkTokenName(name: string): Complaint[] {
  if (NAME.test(name)) return []
  const message = 'invalid agent name'
  return [{ path: ['agent_tokens', name], aboutKey: true, message, fix: PATTERN_FIX }]
}

function checkSetName(name: string): Complaint[] {
  if (NAME.test(name)) return []
  return [{ path: ['toolsets', name], aboutKey: true, message: 'invalid toolset name', fix: PATTERN_FIX }]
}

function keysOf(value: unknown, key: 'mcpServers' | 'agent_tokens' | 'toolsets'): string[] {
  const block = (value as Partial<Record<string, unknown>> | null | undefined)?.[key]
  return typeof block === 'object' && block !== null && !Array.isArray(block) ? Object.keys(block) : []
}

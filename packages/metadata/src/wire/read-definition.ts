import { checkObject, checkText } from '../authoring/check-shape.ts'
import { META_HINTS, META_METADATA } from '../authoring/project-metadata.ts'
import { findJsonProblems } from '../definition/json-problems.ts'
import { isObject, own, ownString } from '../definition/own-property.ts'
import type { ToolDefinition } from '../definition/tool-definition.ts'
import type { Finding } from '../finding.ts'
import { HINT_NAMES, HINTS, type HintName, RISK_HINTS, SPEC_HINTS } from '../hint/hints.ts'
import { mergeStatements } from '../hint/strictness.ts'
import type { ToolRecord } from '../record/tool-record.ts'
import { readAnnotations } from './read-annotations.ts'
import { readAxes, readFlags, type Spelling, type Statement } from './read-axes.ts'

export interface ReadDefinition {
  /**
   * The definition as the server sent it, including unknown fields. If the definition cannot be read, this contains
   * only the name.
   */
  readonly definition: ToolDefinition
  readonly declared: ToolRecord
  readonly findings: readonly Finding[]
}

const OURS: Spelling = {
  serviceDomains: 'serviceDomains',
  hints: Object.fromEntries(SPEC_HINTS.map(h => [h, h])),
}
const ARCADE: Spelling = {
  serviceDomains: 'service_domains',
  hints: {
    readOnly: 'read_only',
    destructive: 'destructive',
    idempotent: 'idempotent',
    openWorld: 'open_world',
  },
}
const WIRE_NAMES = Object.fromEntries(HINT_NAMES.map(hint => [hint, HINTS[hint].wire]))
const RISK_WIRE_NAMES = Object.fromEntries(RISK_HINTS.map(hint => [hint, HINTS[hint].wire]))
const GRAM_PREFIX = 'gram.ai/'

/**
 * Reads a server's tool definition, written with the specification's names or in one of the dialects. Any input is
 * accepted: the result has everything that could be read, and findings about the rest.
 *
 * @example
 * import { readDefinition } from '@hintgate/metadata'
 * const { declared, findings } = readDefinition({ name: 'wipe', annotations: { destructive: true } })
 * declared.hints // => { destructive: true }
 * findings[0]?.fix // => 'Rename it to `destructiveHint`.'
 */
export function readDefinition(input: unknown): ReadDefinition {
  const problems = findJsonProblems(input).map(notJson)
  if (!isObject(input) || problems.length > 0) {
    return {
      definition: { name: nameOf(input) },
      declared: { hints: {} },
      findings: [...checkName(input), ...problems],
    }
  }
  const meta = own(input, '_meta')
  const statements = [
    readAnnotations(own(input, 'annotations')),
    readAxes(own(meta, META_METADATA), `_meta["${META_METADATA}"]`, OURS),
    readRiskHints(own(meta, META_HINTS)),
    readAxes(own(own(meta, 'arcade'), 'metadata'), '_meta.arcade.metadata', ARCADE),
    ...readGram(meta),
  ]
  const title = ownString(input, 'title')
  return {
    definition: { ...input, name: nameOf(input) },
    declared: {
      ...statements.map(said => said.record).reduce(mergeRecords),
      ...(title === undefined ? {} : { title }),
    },
    findings: [
      ...checkName(input),
      ...checkText(own(input, 'title'), 'title'),
      ...checkText(own(input, 'description'), 'description'),
      ...checkObject(own(input, 'inputSchema'), 'inputSchema'),
      ...checkObject(own(input, 'outputSchema'), 'outputSchema'),
      ...checkObject(meta, '_meta'),
      ...statements.flatMap(said => said.findings),
      ...conflicts(statements),
    ],
  }
}

/**
 * Merges two statements about one tool. For hints, the stricter value counts; for all other fields, the earlier
 * statement.
 */
function mergeRecords(a: ToolRecord, b: ToolRecord): ToolRecord {
  return { ...b, ...a, hints: mergeStatements(a.hints, b.hints) }
}

function readRiskHints(value: unknown): Statement {
  const path = `_meta["${META_HINTS}"]`
  const { hints, findings } = readFlags(value, path, RISK_WIRE_NAMES)
  return { record: { hints }, findings: [...checkObject(value, path), ...findings] }
}

/** Reads the hints in `_meta` under all keys that Gram uses. */
function readGram(meta: unknown): Statement[] {
  if (!isObject(meta)) return []
  const keys = Object.keys(meta).filter(key => key.startsWith(GRAM_PREFIX) && isObject(meta[key]))
  return keys.slice(0, 20).map(key => {
    const { hints, findings } = readFlags(meta[key], `_meta["${key}"]`, WIRE_NAMES)
    return { record: { hints }, findings }
  })
}

function conflicts(statements: readonly Statement[]): Finding[] {
  const disagreeing = HINT_NAMES.filter(hint => new Set(saidOf(statements, hint)).size > 1)
  return disagreeing.map(hint => ({
    code: 'dialect-conflict',
    level: 'warning',
    path: `annotations.${HINTS[hint].wire}`,
    message: `annotations and \`_meta\` declare different values for ${HINTS[hint].label}; the stricter value counts.`,
    fix: 'Declare the same value in both places, or declare it in annotations only.',
  }))
}

function saidOf(statements: readonly Statement[], hint: HintName): boolean[] {
  return statements.map(said => said.record.hints[hint]).filter(value => value !== undefined)
}

function nameOf(input: unknown): string {
  return ownString(input, 'name') ?? ''
}

function checkName(input: unknown): Finding[] {
  if (nameOf(input) !== '') return []
  const message = isObject(input) ? 'The tool has no name.' : 'This is not a tool definition.'
  return [
    { code: 'no-name', level: 'error', path: 'name', message, fix: 'Give the tool a name, as a string.' },
  ]
}

function notJson({ path, problem }: { path: string; problem: string }): Finding {
  return {
    code: 'not-json',
    level: 'error',
    path: shorten(path),
    message: `The definition cannot be read: it contains ${problem}.`,
    fix: 'Send plain JSON with fewer levels of nesting.',
  }
}

/** Shortens a path, because a path into a hostile document can be as long as the document. */
function shorten(path: string): string {
  if (path === '') return 'definition'
  return path.length > 200 ? `${path.slice(0, 199)}…` : path
}

import { isJsonObject, type Json } from '../protocol/messages.ts'
import { checkNode } from './check-node.ts'
import { cutJson } from './cut-json.ts'
import { describeFinding, showPath } from './describe-finding.ts'
import { NO } from './kinds.ts'
import { type Finding, type Rules, Run, readRules, type Step } from './run.ts'

/*
 * Arguments against a tool's schema, before the call goes on. The schema comes from a server nobody vouches for, the arguments
 * from an agent that may be in somebody else's hands, and together they can be made to take for ever. So the check is our own:
 * it reads the schema as it is (nothing is generated from it), and every loop pays from one budget (budget.ts) before it runs.
 *
 * Why not a library: those we know count nothing, and nothing can be counted from outside. With @cfworker/json-schema, a schema
 * of a thousand small parts and an object of 100,000 fields takes 21 s; it runs patterns on JavaScript's engine; and it knows
 * only yes and no, so that what cannot be checked under a `not` refuses good calls. It serves as the reference in our tests.
 *
 * What is not checked, and therefore passes:
 * - `format`: an annotation by the specification, and servers differ (is a date-time without a zone one?);
 * - patterns beyond RE2 (patterns.ts), references out of the document (references.ts), keywords whose value makes no sense;
 * - all of it when the budget is spent: `onUnchecked` tells whoever does not want that to pass.
 * An answer therefore has three values (kinds.ts), so that "unchecked" stays just that under `not`, `oneOf` and `if`.
 */

export interface ArgumentProblem {
  /** Where: `to[0].address`; empty for the arguments as a whole. */
  readonly field: string
  /** What belongs there, to finish "expected …". */
  readonly expected: string
  /** The part of the schema that says so, cut to a length that can be shown. */
  readonly schema: unknown
  /** How many problems there are; no more than 100 are counted. */
  readonly problems: number
}

/** `onUnchecked` is called when there was too much to check; nothing is known of the arguments then. */
export type ArgumentCheck = (args: unknown, onUnchecked?: () => void) => ArgumentProblem | undefined

/** Characters of the part of a schema that is shown. */
export const MAX_SCHEMA = 1_500

/**
 * Makes a check from a tool's `inputSchema`: JSON Schema 2020-12, or what `$schema` names back to draft 4. It never throws,
 * whatever the schema; what is no schema lets everything pass.
 *
 * @example
 * const check = compileSchema({ properties: { path: { type: 'string' } }, required: ['path'] })
 * check({ path: 7 })?.expected // => 'a string, not a number'
 */
export function compileSchema(schema: unknown): ArgumentCheck {
  return compile(schema, finding => finding)
}

/**
 * The same from a tool's `outputSchema`, for what a server gives back. Its problems are told in words of the schema alone: a
 * name that the schema does not have may say anything, to whoever reads what is wrong.
 */
export function compileOutputSchema(schema: unknown): ArgumentCheck {
  return compile(schema, finding => withoutStrangers(finding, schema))
}

function compile(schema: unknown, retell: (finding: Finding) => Finding): ArgumentCheck {
  if (!isJsonObject(schema)) return () => undefined
  const rules = readRules(schema)
  // A call without arguments is a call with none.
  return (args = {}, onUnchecked = () => {}) => {
    const examination = examine(args, schema, rules)
    if (examination.kind === 'unchecked') onUnchecked()
    if (examination.kind !== 'failed') return undefined
    const [finding] = examination.findings
    return finding && toProblem(retell(finding), examination.findings.length)
  }
}

function toProblem(finding: Finding, problems: number): ArgumentProblem {
  return {
    field: showPath(fieldOf(finding)),
    expected: describeFinding(finding),
    schema: cutJson(schemaToShow(finding), MAX_SCHEMA),
    problems,
  }
}

/** A field that is missing, or is one too many, is the one that it is about. */
const NAMES_A_FIELD = new Set([
  'required',
  'dependentRequired',
  'additionalProperties',
  'unevaluatedProperties',
])

function fieldOf({ keyword, path, detail }: Finding): readonly Step[] {
  return NAMES_A_FIELD.has(keyword) && detail !== undefined ? [...path, String(detail)] : path
}

/** Of a field that is missing, its own schema says what to put there. */
function schemaToShow({ keyword, schema, detail }: Finding): unknown {
  if (keyword !== 'required' || !isJsonObject(schema) || !isJsonObject(schema.properties)) return schema
  const { properties } = schema
  return Object.hasOwn(properties, String(detail)) ? properties[String(detail)] : schema
}

export type Examination =
  | { readonly kind: 'passed'; readonly spent: number }
  | { readonly kind: 'unchecked'; readonly spent: number }
  | { readonly kind: 'failed'; readonly spent: number; readonly findings: readonly Finding[] }

/**
 * Checks arguments within a budget. When that is spent they count as unchecked, which is neither right nor wrong: whoever asks
 * decides what it is worth. To a call that only reads the check is a service, and the server will do its own; to any other it is
 * a check that arguments must not be able to switch off by their length.
 */
export function examine(args: unknown, schema: Json, rules: Rules): Examination {
  const run = new Run(rules, checkNode)
  try {
    const answer = run.check(args, schema)
    const { spent, fellShort } = run.budget
    if (answer === NO) return { kind: 'failed', spent, findings: run.findings }
    return { kind: fellShort ? 'unchecked' : 'passed', spent }
  } catch {
    // Almost always `Spent`; running out of stack is the same by another name.
    return { kind: 'unchecked', spent: run.budget.spent }
  }
}

/** Stands for a name that only the value has. */
const STRANGER = '(not in the schema)'

/** Keywords that are about a name of the value. */
const NAMES_A_STRANGER = new Set(['additionalProperties', 'unevaluatedProperties', 'propertyNames'])

/** A finding that says nothing but what the schema says itself: where, by names that it has, and what belongs there. */
function withoutStrangers(finding: Finding, schema: unknown): Finding {
  const { keyword, path, detail, value } = finding
  const known = namesIn(schema)
  return {
    ...finding,
    path: path.map((step): Step => (typeof step === 'number' || known.has(step) ? step : STRANGER)),
    detail: NAMES_A_STRANGER.has(keyword) ? STRANGER : detail,
    // What is there in place of something that is missing has a name, too.
    value: keyword === 'required' ? undefined : value,
  }
}

/** All names that a schema has, whatever for: somebody has approved them. */
function namesIn(schema: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  const left: unknown[] = [schema]
  while (left.length > 0) {
    const part = left.pop()
    if (isJsonObject(part)) for (const name of Object.keys(part)) names.add(name)
    if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) left.push(inner)
  }
  return names
}

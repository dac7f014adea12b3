import { isJsonObject, type Json } from '../protocol/messages.ts'
import { checkNode } from './check-node.ts'
import { cutJson } from './cut-json.ts'
import { describeFinding, showPath } from './describe-finding.ts'
import { NO } from './kinds.ts'
import { type Finding, type Rules, Run, readRules, type Step } from './run.ts'

/*
 * Checks arguments against a tool's schema before the call is sent. Both the schema (from an untrusted server) and the
 * arguments (from an agent that may be hijacked) can be crafted to take forever. So the check interprets the schema without
 * generating code, and every loop spends from one budget (budget.ts) before it runs.
 *
 * Why not a library: the known ones have no budget, and none can be added from outside. With @cfworker/json-schema, a schema
 * of a thousand small parts and an object of 100,000 fields takes 21 s; it runs patterns on JavaScript's engine; and it
 * answers only yes or no, so that an uncheckable schema under `not` refuses valid calls. It is the reference in the tests.
 *
 * Not checked, and therefore accepted:
 * - `format`: an annotation by the specification, and servers differ (is a date-time without a zone valid?);
 * - patterns beyond RE2 (patterns.ts), references out of the document (references.ts), keywords with an invalid value;
 * - everything, once the budget is spent: `onUnchecked` reports that.
 * An answer therefore has three values (kinds.ts), so that "unchecked" is preserved under `not`, `oneOf` and `if`.
 */

export interface ArgumentProblem {
  /** The path, such as `to[0].address`; empty for the arguments as a whole. */
  readonly field: string
  /** The expected value; completes the sentence "expected …". */
  readonly expected: string
  /** The failing part of the schema, cut to a displayable length. */
  readonly schema: unknown
  /** The number of problems, counted up to 100. */
  readonly problems: number
}

/** `onUnchecked` is called when the budget was spent; the arguments are then unchecked. */
export type ArgumentCheck = (args: unknown, onUnchecked?: () => void) => ArgumentProblem | undefined

/** The maximum length of the shown part of a schema. */
export const MAX_SCHEMA = 1_500

/**
 * Compiles a tool's `inputSchema`: JSON Schema 2020-12, or the draft in `$schema`, from draft 4 on. Never throws; an invalid
 * schema accepts everything.
 *
 * @example
 * const check = compileSchema({ properties: { path: { type: 'string' } }, required: ['path'] })
 * check({ path: 7 })?.expected // => 'a string, not a number'
 */
export function compileSchema(schema: unknown): ArgumentCheck {
  return compile(schema, finding => finding)
}

/**
 * Compiles a tool's `outputSchema`. The problems mention only names from the schema, because other names come from the
 * result and could contain instructions to the reader.
 */
export function compileOutputSchema(schema: unknown): ArgumentCheck {
  return compile(schema, finding => withoutForeignNames(finding, schema))
}

function compile(schema: unknown, retell: (finding: Finding) => Finding): ArgumentCheck {
  if (!isJsonObject(schema)) return () => undefined
  const rules = readRules(schema)
  // Missing arguments count as an empty object.
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

/** Keywords whose findings are about the missing or unknown field itself. */
const NAMES_A_FIELD = new Set([
  'required',
  'dependentRequired',
  'additionalProperties',
  'unevaluatedProperties',
])

function fieldOf({ keyword, path, detail }: Finding): readonly Step[] {
  return NAMES_A_FIELD.has(keyword) && detail !== undefined ? [...path, String(detail)] : path
}

/** The part of the schema to show. For a missing field, that is the field's own schema. */
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
 * Checks arguments within a budget. When it is spent, they count as unchecked, and the caller decides. For reads the
 * check is a convenience, because the server checks as well. For other calls, long arguments must not be able to
 * disable the check.
 */
export function examine(args: unknown, schema: Json, rules: Rules): Examination {
  const run = new Run(rules, checkNode)
  try {
    const answer = run.check(args, schema)
    const { spent, fellShort } = run.budget
    if (answer === NO) return { kind: 'failed', spent, findings: run.findings }
    return { kind: fellShort ? 'unchecked' : 'passed', spent }
  } catch {
    // Almost always `BudgetExceeded`; a stack overflow is handled the same way.
    return { kind: 'unchecked', spent: run.budget.spent }
  }
}

/** Replaces a name that is not in the schema. */
const FOREIGN_NAME = '(not in the schema)'

/** Keywords with a finding that contains a name from the value. */
const NAMES_FROM_VALUE = new Set(['additionalProperties', 'unevaluatedProperties', 'propertyNames'])

/** A finding that contains only names from the schema. */
function withoutForeignNames(finding: Finding, schema: unknown): Finding {
  const { keyword, path, detail, value } = finding
  const known = namesIn(schema)
  return {
    ...finding,
    path: path.map((step): Step => (typeof step === 'number' || known.has(step) ? step : FOREIGN_NAME)),
    detail: NAMES_FROM_VALUE.has(keyword) ? FOREIGN_NAME : detail,
    // The value contains names as well.
    value: keyword === 'required' ? undefined : value,
  }
}

/** All names in a schema, which an operator has approved. */
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

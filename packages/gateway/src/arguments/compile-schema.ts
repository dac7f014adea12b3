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
  /** The field's path, such as `to[0].address`; empty for the arguments as a whole. */
  readonly field: string
  /** The expected value; completes the sentence "expected …". */
  readonly expected: string
  /** The part of the schema that the value does not match, cut to a displayable length. */
  readonly schema: unknown
  /** The number of problems in the arguments. Counting stops at 100. */
  readonly problems: number
}

/** Checks arguments. Calls `onUnchecked` if the budget ran out, which leaves the arguments unchecked. */
export type ArgumentCheck = (args: unknown, onUnchecked?: () => void) => ArgumentProblem | undefined

/** Maximum length of the part of a schema that is shown. */
export const MAX_SCHEMA = 1_500

/**
 * Compiles a tool's `inputSchema`: JSON Schema 2020-12, or the draft in `$schema`, from draft 4 on. Never throws; an
 * invalid schema accepts everything.
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

/** Returns the part of the schema to show. For a missing field, that is the field's own schema. */
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
 * Checks arguments within a budget. When it is spent, the arguments count as unchecked, and the calling code decides
 * what to do. For a read, that is harmless, because the server checks as well. For other calls, long arguments must not
 * be able to disable the check.
 */
export function examine(args: unknown, schema: Json, rules: Rules): Examination {
  const run = new Run(rules, checkNode)
  try {
    const answer = run.check(args, schema)
    const { spent, fellShort } = run.budget
    if (answer === NO) return { kind: 'failed', spent, findings: run.findings }
    return { kind: fellShort ? 'unchecked' : 'passed', spent }
  } catch {
    // The error is almost always `BudgetExceeded`. A stack overflow is handled in the same way.
    return { kind: 'unchecked', spent: run.budget.spent }
  }
}

/** Shown in place of a name that is not in the schema. */
const FOREIGN_NAME = '(not in the schema)'

/** Keywords whose findings contain a name from the value. */
const NAMES_FROM_VALUE = new Set(['additionalProperties', 'unevaluatedProperties', 'propertyNames'])

/** Removes the names that are not in the schema from a finding. */
function withoutForeignNames(finding: Finding, schema: unknown): Finding {
  const { keyword, path, detail, value } = finding
  const known = namesIn(schema)
  return {
    ...finding,
    path: path.map((step): Step => (typeof step === 'number' || known.has(step) ? step : FOREIGN_NAME)),
    detail: NAMES_FROM_VALUE.has(keyword) ? FOREIGN_NAME : detail,
    // The value of `required` is an object, which contains names from the result as well.
    value: keyword === 'required' ? undefined : value,
  }
}

/** Returns all names in a schema. They are safe to show, because an operator has approved the schema. */
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

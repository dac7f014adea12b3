import { nearest } from '@hintgate/metadata'
import {
  TypeError as CelTypeError,
  EvaluationError,
  ParseError,
  type ParseResult,
} from '@marcbachmann/cel-js'
import { VARIABLES } from './attributes.ts'
import type { CallView } from './call-view.ts'
import { checkNames } from './check-names.ts'
import { type Complaint, suggest } from './complaint.ts'
import { environment, meterWith, roomyEnvironment } from './environment.ts'
import { ConditionFault } from './meter.ts'
import { boundLoops, hasLoop } from './syntax-tree.ts'

const FIX: Readonly<Record<string, string>> = {
  limit_exceeded: 'shorten the condition, or split it into several rules',
  no_such_overload: 'compare and combine values of one type; convert with double(…), int(…) or string(…)',
  cannot_index_type: 'the value has no members; compare it directly',
}

/** Explains a parse or type error of the CEL library. */
function explainCelError(error: unknown): Complaint {
  if (!(error instanceof ParseError || error instanceof CelTypeError)) throw error
  const { code, summary, range, node } = error
  const offset = range?.start ?? 0
  const name = node?.input?.slice(node.start, node.end) ?? ''
  if (code === 'unknown_variable')
    return { offset, message: `unknown variable \`${name}\``, fix: suggestVariable(name) }
  if (code === 'no_matching_overload') return { offset, ...explainFunction(name, summary) }
  const isSyntax = error instanceof ParseError && code !== 'limit_exceeded'
  const fix =
    FIX[code] ??
    (isSyntax ? 'check that quotes and brackets match and that nothing is missing' : 'see docs/policy.md')
  return { offset, message: lowerFirst(summary), fix }
}

function suggestVariable(name: string): string {
  const match = nearest(name, VARIABLES)
  return match === undefined
    ? `put text in quotes; variables are ${VARIABLES.join(', ')}`
    : `did you mean \`${match}\`?`
}

/** Explains a call to a function that does not exist or takes different arguments. */
function explainFunction(call: string, summary: string): Omit<Complaint, 'offset'> {
  const name = /(\w+)\((?:[^()]|\([^()]*\))*\)$/.exec(summary.replace(/'$/, ''))?.[1] ?? call
  const { functions } = environment.getDefinitions()
  const known = functions.filter(one => one.name === name).map(({ signature }) => signature)
  if (known.length > 0) return { message: lowerFirst(summary), fix: `use ${known.join(' or ')}` }
  const names = [...new Set(functions.map(one => one.name))].filter(one => /^[a-z]\w*$/i.test(one))
  return { message: `unknown function \`${name}\``, fix: suggest(name, names) }
}

/**
 * Explains why an evaluation failed. It quotes only the policy file, never the library's message, which can contain
 * arguments.
 */
function explainFailure(error: unknown): string {
  if (error instanceof ConditionFault) return error.message
  if (!(error instanceof EvaluationError)) return 'an unexpected error'
  const { code, node } = error
  if (code === 'no_such_key') return `${nameOf(node)} does not exist; test with has(…) first`
  if (code === 'no_such_overload' || code === 'no_matching_overload')
    return `a value has the wrong type for ${shownOf(node)}`
  return `${code.replaceAll('_', ' ')} in ${shownOf(node)}`
}

type FaultNode = EvaluationError['node']

function nameOf(node: FaultNode): string {
  const name = Array.isArray(node?.args) && node.op?.startsWith('.') ? node.args[1] : undefined
  return typeof name === 'string' ? `\`${name}\`` : 'the key'
}

function shownOf(node: FaultNode): string {
  const shown = node?.input?.slice(node.start, node.end)
  return shown === undefined || shown.includes('__step') ? 'the condition' : `\`${shown}\``
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** The reason why a condition could not be evaluated. It never quotes an argument. */
export interface Failure {
  readonly why: string
}

export interface Condition {
  readonly text: string
  test(call: CallView): boolean | Failure
}

const MAX_LENGTH = 10_000

/** Parses and type-checks a condition, or lists its problems. */
export function compileCondition(text: string): {
  readonly condition?: Condition
  readonly complaints: readonly Complaint[]
} {
  if (text.length > MAX_LENGTH)
    return {
      complaints: [{ offset: 0, message: 'the condition is too long', fix: 'split it into several rules' }],
    }
  try {
    const parsed = environment.parse(text)
    const complaints = checkNames(parsed.ast)
    if (complaints.length > 0) return { complaints }
    const complaint = checkTypes(parsed)
    if (complaint !== undefined) return { complaints: [complaint] }
    const bounded = hasLoop(parsed.ast) ? roomyEnvironment.parse(boundLoops(parsed.ast)) : parsed
    const fault = checkTypes(bounded)
    return fault === undefined
      ? { condition: { text, test: call => run(bounded, call) }, complaints: [] }
      : { complaints: [{ ...fault, offset: 0 }] }
  } catch (error) {
    return { complaints: [explainCelError(error)] }
  }
}

function checkTypes(parsed: ParseResult): Complaint | undefined {
  const { valid, type, error } = parsed.check()
  if (!valid) return explainCelError(error)
  if (type === 'bool') return undefined
  const what = type === 'dyn' ? 'a value whose type is unknown until a call is made' : `${type}`
  return {
    offset: 0,
    message: `the condition returns ${what}, not true or false`,
    fix: 'compare it with a value, as in `args.dry_run == true`',
  }
}

function run(parsed: ParseResult, call: CallView): boolean | Failure {
  const { meter } = call
  meterWith(meter)
  try {
    const result: unknown = parsed(call)
    // `all` and `exists` continue after an error, so a result can come from an interrupted loop. If the budget is
    // spent, this throws again.
    if (meter.isExhausted) meter.spend(0)
    return typeof result === 'boolean' ? result : { why: 'the condition did not return true or false' }
  } catch (error) {
    return { why: explainFailure(error) }
  }
}

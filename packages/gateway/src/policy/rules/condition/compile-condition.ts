import type { ParseResult } from '@marcbachmann/cel-js'
import { boundLoops, hasLoop } from './bound-loops.ts'
import type { CallView } from './call-view.ts'
import { checkNames } from './check-names.ts'
import type { Complaint } from './complaint.ts'
import { environment, meterWith, roomyEnvironment } from './environment.ts'
import { explainCelError, explainFailure } from './explain-error.ts'

/** A condition that could not be decided, and why; never quotes an argument. */
export interface Failure {
  readonly why: string
}

export interface Condition {
  readonly text: string
  test(call: CallView): boolean | Failure
}

const MAX_LENGTH = 10_000

/** Reads and type-checks a condition, or says all that is wrong with it. */
export function compileCondition(text: string): {
  readonly condition?: Condition
  readonly complaints: readonly Complaint[]
} {
  if (text.length > MAX_LENGTH)
    return { complaints: [{ offset: 0, message: 'the condition is too long', fix: 'write several rules' }] }
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
  const what = type === 'dyn' ? 'something that is only known when a call comes' : `${type}`
  return {
    offset: 0,
    message: `the condition gives ${what}, not true or false`,
    fix: 'compare it with something, as in `args.dry_run == true`',
  }
}

function run(parsed: ParseResult, call: CallView): boolean | Failure {
  const { meter } = call
  meterWith(meter)
  try {
    const result: unknown = parsed(call)
    // `all` and `exists` go on after an error, so a loop that was cut short may still have given an answer.
    if (meter.isExhausted) meter.spend(0)
    return typeof result === 'boolean' ? result : { why: 'it did not give true or false' }
  } catch (error) {
    return { why: explainFailure(error) }
  }
}

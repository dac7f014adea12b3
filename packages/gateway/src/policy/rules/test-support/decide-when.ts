import { CallView, viewTool } from '../condition/call-view.ts'
import { compileCondition, type Failure } from '../condition/compile-condition.ts'
import { makeFacts } from './make-facts.ts'

/** Evaluates a condition against a call. Throws if the condition does not compile. */
export function decideWhen(text: string, facts: Parameters<typeof makeFacts>[0] = {}): boolean | Failure {
  const { condition, complaints } = compileCondition(text)
  if (condition === undefined) throw new Error(`${text}: ${complaints.map(one => one.message).join('; ')}`)
  const made = makeFacts(facts)
  return condition.test(new CallView(made, viewTool(made.tool)))
}

import { CallView, viewTool } from '../condition/call-view.ts'
import { compileCondition, type Failure } from '../condition/compile-condition.ts'
import { makeFacts } from './make-facts.ts'

/** What a condition says of a call. It must be a good condition. */
export function decideWhen(text: string, wanted: Parameters<typeof makeFacts>[0] = {}): boolean | Failure {
  const { condition, complaints } = compileCondition(text)
  if (condition === undefined) throw new Error(`${text}: ${complaints.map(one => one.message).join('; ')}`)
  const facts = makeFacts(wanted)
  return condition.test(new CallView(facts, viewTool(facts.tool)))
}

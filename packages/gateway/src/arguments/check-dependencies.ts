import { isJsonObject, type Json } from '../protocol/messages.ts'
import { type Answer, both, YES } from './answer.ts'
import { COST } from './budget.ts'
import { isTextOf } from './rules.ts'
import type { Node, Run } from './run.ts'

/** What the presence of one field asks of the others. */
export function checkDependencies(run: Run, value: Json, node: Node): Answer {
  const { dependentRequired, dependentSchemas, dependencies } = node.schema
  // Almost never there, and asked of every object.
  if ((dependentRequired ?? dependentSchemas ?? dependencies) === undefined) return YES
  let answer: Answer = YES
  for (const rules of [dependentRequired, dependentSchemas, dependencies]) {
    if (!isJsonObject(rules)) continue
    const keys = Object.keys(rules)
    run.budget.spend(keys.length * COST.field)
    for (const key of keys) {
      if (!Object.hasOwn(value, key)) continue
      const rule = rules[key]
      answer = both(
        answer,
        Array.isArray(rule)
          ? checkCompanions(run, value, { schema: node.schema, names: rule })
          : run.check(value, rule, node.seen),
      )
    }
  }
  return answer
}

function checkCompanions(run: Run, value: Json, rule: { schema: Json; names: readonly unknown[] }): Answer {
  run.budget.spend(rule.names.length)
  let answer: Answer = YES
  for (const name of rule.names) {
    if (!isTextOf(name, run.rules.digitsOf) || Object.hasOwn(value, name)) continue
    answer = run.fail({ keyword: 'dependentRequired', schema: rule.schema, value, detail: name })
  }
  return answer
}

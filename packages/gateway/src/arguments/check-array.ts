import type { Json } from '../protocol/messages.ts'
import { areDifferent } from './equality.ts'
import { type Answer, both, NO, UNKNOWN, YES } from './kinds.ts'
import type { Evaluated, Node, Run } from './run.ts'

type Items = readonly unknown[]

export function checkArray(run: Run, value: Items, node: Node): Answer {
  const { schema } = node
  const { minItems, maxItems } = schema
  let answer: Answer = YES
  if (typeof minItems === 'number' && value.length < minItems)
    answer = run.fail({ keyword: 'minItems', schema, value })
  // The items of a list that is too long are not checked, because they could use up the budget for the other arguments.
  if (typeof maxItems === 'number' && value.length > maxItems)
    return run.fail({ keyword: 'maxItems', schema, value })
  answer = both(answer, checkItems(run, value, node))
  if (schema.contains !== undefined) answer = both(answer, checkContains(run, value, node))
  if (schema.uniqueItems === true && areDifferent(run, value) === NO)
    answer = run.fail({ keyword: 'uniqueItems', schema, value })
  return answer
}

/**
 * Up to draft 2019-09, `items` can hold the schemas of the first items, and `additionalItems` the schema of the others.
 */
function readItems(schema: Json): { first: Items; others: unknown } {
  if (Array.isArray(schema.items)) return { first: schema.items, others: schema.additionalItems }
  return { first: Array.isArray(schema.prefixItems) ? schema.prefixItems : [], others: schema.items }
}

function checkItems(run: Run, value: Items, node: Node): Answer {
  const { first, others } = readItems(node.schema)
  const end = others === undefined ? Math.min(first.length, value.length) : value.length
  let answer: Answer = YES
  for (let at = 0; at < end && !run.hasEnough; at++) {
    answer = both(answer, run.checkAt(at, value[at], at < first.length ? first[at] : others))
  }
  node.evaluated?.addItemsBefore(end)
  return answer
}

function checkContains(run: Run, value: Items, node: Node): Answer {
  const { contains, minContains, maxContains } = node.schema
  let fitting = 0
  let possible = 0
  for (const [at, item] of value.entries()) {
    const { answer } = run.attempt(() => run.checkAt(at, item, contains))
    if (answer !== NO) possible += 1
    if (answer !== YES) continue
    fitting += 1
    node.evaluated?.addItem(at)
  }
  if (possible > fitting && node.evaluated) node.evaluated.isUncertain = true
  const least = typeof minContains === 'number' ? minContains : 1
  const most = typeof maxContains === 'number' ? maxContains : Number.POSITIVE_INFINITY
  if (possible < least) return run.fail({ keyword: 'contains', schema: node.schema, detail: least })
  if (fitting > most) return run.fail({ keyword: 'maxContains', schema: node.schema, detail: most })
  return fitting < least || possible > most ? UNKNOWN : YES
}

export function checkUnevaluatedItems(
  run: Run,
  value: Items,
  node: { schema: Json; evaluated: Evaluated },
): Answer {
  const { schema, evaluated } = node
  run.budget.spend(value.length)
  let answer: Answer = YES
  for (let at = 0; at < value.length && !run.hasEnough; at++) {
    if (evaluated.hasItem(at)) continue
    answer = both(
      answer,
      evaluated.isUncertain ? UNKNOWN : run.checkAt(at, value[at], schema.unevaluatedItems),
    )
  }
  evaluated.addItemsBefore(value.length)
  return answer
}

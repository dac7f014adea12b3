import { isJsonObject, type Json } from '../protocol/messages.ts'
import { isText } from '../protocol/parse-json.ts'
import { COST } from './budget.ts'
import { type Answer, both, either, NO, UNKNOWN, YES } from './kinds.ts'
import type { Evaluated, Node, Run } from './run.ts'

interface ObjectNode extends Node {
  readonly keys: readonly string[]
}

export function checkObject(run: Run, value: Json, { schema, evaluated }: Node): Answer {
  const keys = Object.keys(value)
  run.budget.spend(keys.length * COST.field)
  const node = { schema, keys, evaluated }
  const { minProperties, maxProperties, propertyNames } = schema
  // A misspelt field is both unknown and missing. It is more helpful to report it as unknown, so fields are checked
  // first.
  let answer = checkFields(run, value, node)
  answer = both(answer, checkRequired(run, value, schema))
  if (typeof minProperties === 'number' && keys.length < minProperties)
    answer = run.fail({ keyword: 'minProperties', schema, value })
  if (typeof maxProperties === 'number' && keys.length > maxProperties)
    answer = run.fail({ keyword: 'maxProperties', schema, value })
  if (propertyNames !== undefined) answer = both(answer, checkNames(run, value, node))
  return both(answer, checkDependencies(run, value, node))
}

function checkRequired(run: Run, value: Json, schema: Json): Answer {
  const { required } = schema
  if (!Array.isArray(required)) return YES
  run.budget.spend(required.length)
  let answer: Answer = YES
  for (const name of required) {
    if (!isText(name) || Object.hasOwn(value, name)) continue
    answer = run.fail({ keyword: 'required', schema, value, detail: name })
  }
  return answer
}

function checkFields(run: Run, value: Json, node: ObjectNode): Answer {
  const { properties, patternProperties, additionalProperties } = node.schema
  const known = isJsonObject(properties) ? properties : undefined
  const patterns = isJsonObject(patternProperties) ? Object.entries(patternProperties) : []
  if (known === undefined && patterns.length === 0 && additionalProperties === undefined) return YES
  run.budget.spend(patterns.length * COST.field)
  let answer: Answer = YES
  for (const key of node.keys) {
    if (run.hasEnough) break
    let isKnown: Answer = NO
    if (known !== undefined && Object.hasOwn(known, key)) {
      answer = both(answer, run.checkAt(key, value[key], known[key]))
      isKnown = YES
    }
    for (const [pattern, schema] of patterns) {
      const matches = run.rules.patterns.matches(pattern, key, run.budget)
      isKnown = either(isKnown, matches)
      if (matches === YES) answer = both(answer, run.checkAt(key, value[key], schema))
      else if (matches === UNKNOWN) answer = both(answer, UNKNOWN)
    }
    if (isKnown !== YES || node.evaluated)
      answer = both(answer, checkOther(run, value, { node, key, isKnown }))
  }
  return answer
}

interface Field {
  readonly node: ObjectNode
  readonly key: string
  readonly isKnown: Answer
}

/**
 * Checks a field that is not declared by name. If it might match an unsupported pattern, it is neither known nor
 * unknown.
 */
function checkOther(run: Run, value: Json, field: Field): Answer {
  const { key, isKnown } = field
  const { schema, evaluated } = field.node
  const { additionalProperties } = schema
  if (isKnown === UNKNOWN && evaluated) evaluated.isUncertain = true
  if (isKnown === YES || (isKnown === NO && additionalProperties !== undefined)) evaluated?.addField(key)
  if (isKnown !== NO || additionalProperties === undefined) return YES
  if (additionalProperties !== false) return run.checkAt(key, value[key], additionalProperties)
  return run.fail({ keyword: 'additionalProperties', schema, value, detail: key })
}

function checkNames(run: Run, value: Json, { schema, keys }: ObjectNode): Answer {
  let answer: Answer = YES
  for (const key of keys) {
    if (run.hasEnough) break
    const tried = run.attempt(() => run.check(key, schema.propertyNames))
    const detail = { detail: key, parts: tried.findings }
    const isWrong = tried.answer === NO
    answer = both(
      answer,
      isWrong ? run.fail({ keyword: 'propertyNames', schema, value, ...detail }) : tried.answer,
    )
  }
  return answer
}

export function checkUnevaluatedFields(
  run: Run,
  value: Json,
  node: { schema: Json; evaluated: Evaluated },
): Answer {
  const { schema, evaluated } = node
  const keys = Object.keys(value)
  run.budget.spend(keys.length * COST.field)
  let answer: Answer = YES
  for (const key of keys) {
    if (run.hasEnough) break
    if (evaluated.hasField(key)) continue
    if (evaluated.isUncertain) answer = both(answer, UNKNOWN)
    else if (schema.unevaluatedProperties === false)
      answer = run.fail({ keyword: 'unevaluatedProperties', schema, value, detail: key })
    else answer = both(answer, run.checkAt(key, value[key], schema.unevaluatedProperties))
  }
  evaluated.addAllFields()
  return answer
}

/** Checks the keywords by which one field requires others. */
function checkDependencies(run: Run, value: Json, node: Node): Answer {
  const { dependentRequired, dependentSchemas, dependencies } = node.schema
  // Returns early, because these keywords are rare and this function runs for every object.
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
          : run.check(value, rule, node.evaluated),
      )
    }
  }
  return answer
}

function checkCompanions(run: Run, value: Json, rule: { schema: Json; names: readonly unknown[] }): Answer {
  run.budget.spend(rule.names.length)
  let answer: Answer = YES
  for (const name of rule.names) {
    if (!isText(name) || Object.hasOwn(value, name)) continue
    answer = run.fail({ keyword: 'dependentRequired', schema: rule.schema, value, detail: name })
  }
  return answer
}

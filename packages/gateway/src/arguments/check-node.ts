import { isJsonObject, type Json } from '../protocol/messages.ts'
import { checkArray, checkUnevaluatedItems } from './check-array.ts'
import { checkCombinations } from './check-combinations.ts'
import { checkObject, checkUnevaluatedFields } from './check-object.ts'
import { checkNumber, checkString } from './check-scalar.ts'
import { isEqual } from './equality.ts'
import { type Answer, both, either, isOfType, kindOf, NO, UNKNOWN, YES } from './kinds.ts'
import { Evaluated, type Node, type Run } from './run.ts'

/** Checks one value against one schema. A keyword with an invalid value (`required: true`) is ignored. */
export function checkNode(run: Run, value: unknown, { schema, evaluated }: Node<unknown>): Answer {
  if (schema === true) return YES
  if (schema === false) return run.fail({ keyword: 'false', schema, value })
  if (!isJsonObject(schema)) return uncertain(evaluated)
  const watches = schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined
  // Members that sibling schemas evaluated do not count here, so this schema's are tracked separately.
  const own = watches ? new Evaluated() : evaluated
  const answer = checkKeywords(run, value, { schema, evaluated: own })
  if (!watches || own === undefined || answer === NO) return answer
  const rest = checkUnevaluated(run, value, { schema, evaluated: own })
  evaluated?.merge(own)
  return both(answer, rest)
}

function uncertain(evaluated: Evaluated | undefined): Answer {
  if (evaluated) evaluated.isUncertain = true
  return UNKNOWN
}

function checkKeywords(run: Run, value: unknown, node: Node): Answer {
  const reference = checkReferences(run, value, node)
  if (run.rules.ignoresBesideRef && typeof node.schema.$ref === 'string') return reference
  const sort = checkSort(run, value, node.schema)
  // If the type is wrong, no other keyword is worth reporting.
  if (sort === NO) return NO
  const answer = both(reference, both(sort, checkByKind(run, value, node)))
  return both(answer, checkCombinations(run, value, node))
}

/** Within a single document, dynamic references work like ordinary ones. */
function checkReferences(run: Run, value: unknown, { schema, evaluated }: Node): Answer {
  const { $ref, $dynamicRef, $recursiveRef } = schema
  if (($ref ?? $dynamicRef ?? $recursiveRef) === undefined) return YES
  let answer: Answer = YES
  for (const reference of [$ref, $dynamicRef, $recursiveRef]) {
    if (typeof reference !== 'string') continue
    const target = run.rules.references.find(reference)
    answer = both(answer, target === undefined ? uncertain(evaluated) : run.check(value, target, evaluated))
  }
  return answer
}

function checkSort(run: Run, value: unknown, schema: Json): Answer {
  const { type, const: only, enum: allowed } = schema
  let answer: Answer = YES
  if (type !== undefined) {
    const fits = isOfTypes(run, value, schema)
    if (fits === NO) return run.fail({ keyword: 'type', schema, value })
    answer = fits
  }
  if (only !== undefined) {
    const fits = isEqual(run, value, only)
    if (fits === NO) return run.fail({ keyword: 'const', schema, value })
    answer = both(answer, fits)
  }
  if (Array.isArray(allowed) && allowed.length > 0) {
    const fits = isAmong(run, value, allowed)
    if (fits === NO) return run.fail({ keyword: 'enum', schema, value })
    answer = both(answer, fits)
  }
  return answer
}

function isOfTypes(run: Run, value: unknown, { type, nullable }: Json): Answer {
  // `nullable` is OpenAPI's keyword, not JSON Schema's, but its meaning is clear.
  if (value === null && nullable === true) return YES
  if (!Array.isArray(type)) return isOfType(value, type)
  if (type.length === 0) return UNKNOWN
  run.budget.spend(type.length)
  return type.reduce<Answer>((answer, one) => either(answer, isOfType(value, one)), NO)
}

function isAmong(run: Run, value: unknown, allowed: readonly unknown[]): Answer {
  run.budget.spend(allowed.length)
  if (allowed.includes(value)) return YES
  let answer: Answer = NO
  for (const one of allowed) {
    answer = either(answer, isEqual(run, value, one))
    if (answer === YES) break
  }
  return answer
}

function checkByKind(run: Run, value: unknown, node: Node): Answer {
  if (isJsonObject(value)) return checkObject(run, value, node)
  if (Array.isArray(value)) return checkArray(run, value, node)
  const kind = kindOf(value)
  if (kind === 'number') return checkNumber(run, value, node.schema)
  return typeof value === 'string' ? checkString(run, value, node.schema) : YES
}

function checkUnevaluated(run: Run, value: unknown, node: { schema: Json; evaluated: Evaluated }): Answer {
  const { unevaluatedProperties, unevaluatedItems } = node.schema
  if (isJsonObject(value) && unevaluatedProperties !== undefined)
    return checkUnevaluatedFields(run, value, node)
  if (Array.isArray(value) && unevaluatedItems !== undefined) return checkUnevaluatedItems(run, value, node)
  return YES
}

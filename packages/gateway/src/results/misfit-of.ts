import { type ArgumentCheck, compileOutputSchema } from '../arguments/compile-schema.ts'
import type { ResultRules } from '../policy/rules.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { Era } from '../store/store.ts'

interface Answer {
  readonly message: { readonly result?: Json | undefined }
  readonly era?: Era | undefined
}

/** Compiled at the first result of a tool, and kept as long as its definition. */
const checks = new WeakMap<object, ArgumentCheck>()

/** Compares a result with the tool's output schema. Undefined if the tool has none, or the result has nothing to compare. */
export function misfitOf(
  { message: { result = {} }, era }: Answer,
  outputSchema: unknown,
  { schema }: ResultRules,
): (() => string | undefined) | undefined {
  if (!isJsonObject(outputSchema) || schema === 'off' || result.isError === true) return undefined
  if (era !== 'legacy' && isInputRequired(result)) return undefined
  return () => {
    const check = checks.get(outputSchema) ?? compileOutputSchema(outputSchema)
    checks.set(outputSchema, check)
    const problem = check(result.structuredContent)
    if (problem === undefined) return undefined
    return `${problem.field === '' ? 'structuredContent' : problem.field}: expected ${problem.expected}`
  }
}

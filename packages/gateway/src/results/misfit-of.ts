import { type ArgumentCheck, compileOutputSchema } from '../arguments/compile-schema.ts'
import type { ResultRules } from '../policy/rules.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { isTask } from '../protocol/tasks.ts'
import type { Era } from '../store/store.ts'

interface Answer {
  readonly message: { readonly result?: Json | undefined }
  readonly era?: Era | undefined
}

/**
 * Compiled checks of output schemas. Each is created for the tool's first result and kept as long as the tool's
 * definition.
 */
const checks = new WeakMap<object, ArgumentCheck>()

/**
 * Returns a function that compares a result with the tool's output schema, or undefined if there is nothing to compare.
 */
export function misfitOf(
  { message: { result = {} }, era }: Answer,
  outputSchema: unknown,
  { schema }: ResultRules,
): (() => string | undefined) | undefined {
  if (!isJsonObject(outputSchema) || schema === 'off' || result.isError === true) return undefined
  if (era !== 'legacy' && (isInputRequired(result) || isTask(result))) return undefined
  return () => {
    const check = checks.get(outputSchema) ?? compileOutputSchema(outputSchema)
    checks.set(outputSchema, check)
    const problem = check(result.structuredContent)
    if (problem === undefined) return undefined
    return `${problem.field === '' ? 'structuredContent' : problem.field}: expected ${problem.expected}`
  }
}

import type { Outcome } from './outcome.ts'

/** Looks at what came back before anybody reads it. Checks of results join in here; today everything passes. */
export function inspect(outcome: Outcome): Outcome {
  return outcome
}

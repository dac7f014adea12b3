import type { Verdict } from './decide.ts'

/** Asks a person where the verdict says so. No verdict says so yet, so this passes it on. */
export function confirm(verdict: Verdict): Verdict {
  return verdict
}

import type { Parameters } from 'fast-check'

/** `npm run fuzz` says how long each property may take; without that it is as many runs as CI has time for. */
const budgetMs = Number(process.env.HINTGATE_FUZZ_MS ?? 0)
const FIXED_SEED = 20_260_728
const seed = Number(process.env.HINTGATE_FUZZ_SEED ?? (budgetMs > 0 ? Date.now() % 2 ** 31 : FIXED_SEED))

/** How a property is run: the same in every CI run, something new with time. A failure prints its seed and its path. */
export function effort<T>(runs: number): Parameters<T> {
  if (budgetMs === 0) return { seed, numRuns: runs }
  return {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: budgetMs,
    markInterruptAsFailure: false,
  }
}

/** For the test that holds the property. */
export const TIMEOUT_MS = budgetMs + 120_000

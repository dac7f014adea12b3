import type { Parameters } from 'fast-check'

/** `npm run fuzz` sets the time per property; otherwise the number of runs is what CI has time for. */
const budgetMs = Number(process.env.HINTGATE_FUZZ_MS ?? 0)
const FIXED_SEED = 20_260_728
const seed = Number(process.env.HINTGATE_FUZZ_SEED ?? (budgetMs > 0 ? Date.now() % 2 ** 31 : FIXED_SEED))

/** Options of a property: a fixed seed in CI, a random one with a time budget. A failure prints its seed and path. */
export function effort<T>(runs: number): Parameters<T> {
  if (budgetMs === 0) return { seed, numRuns: runs }
  return {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: budgetMs,
    markInterruptAsFailure: false,
  }
}

/** The timeout of the test around the property. */
export const TIMEOUT_MS = budgetMs + 120_000

/** Returns the result, or undefined if it throws: for callers that can do without it. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Returns the result of `work`, or undefined if it throws. For code that can do without the result. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** What there is to be had, or undefined where it cannot be: for whoever does as well without. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

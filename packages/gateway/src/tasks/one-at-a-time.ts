/**
 * Returns a function that starts a search, unless one is running already. However many requests arrive during a search,
 * they cause one more search, because the running one can have missed what they are about.
 */
export function oneAtATime(search: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isRunning = false
  let isDue = false
  const run = async (): Promise<void> => {
    while (isDue) {
      isDue = false
      await search().catch(onError)
    }
    // Reset before the next request can come, or a change in between would be missed.
    isRunning = false
  }
  return () => {
    isDue = true
    if (isRunning) return
    isRunning = true
    void run()
  }
}

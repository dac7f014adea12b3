/**
 * Returns a function that starts a search, unless one runs already. Any number of requests during a search cause one
 * more, because what they are about can have been missed.
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

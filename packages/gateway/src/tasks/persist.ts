/** The pauses before further attempts to save, in milliseconds: together about two minutes. */
const PAUSES_MS = [100, 500, 2000, 5000, 10_000, 20_000, 30_000, 60_000]

/** Saves what came of a call, even if the store is away for a while. The call itself cannot be repeated. */
export async function persist<T>(save: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS)
    try {
      return await save()
    } catch {
      await new Promise(resolve => setTimeout(resolve, pause).unref())
    }
  return save()
}

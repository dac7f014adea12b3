/** A group of calls, and whether the calls can run in parallel. */
type Turn = { readonly isParallel: boolean; readonly indices: readonly number[] }

/**
 * Groups calls into turns. Consecutive reads share a turn. Every other call waits for all calls before it, so that a
 * read after a write sees the effect of the write.
 *
 * `takeTurns([true, true, false, true])` gives `[0, 1]` together, then `2`, then `3`.
 */
export function takeTurns(isRead: readonly boolean[]): readonly Turn[] {
  const turns: { isParallel: boolean; indices: number[] }[] = []
  for (const [index, reads] of isRead.entries()) {
    const last = turns.at(-1)
    if (reads && last?.isParallel === true) last.indices.push(index)
    else turns.push({ isParallel: reads, indices: [index] })
  }
  return turns
}

/** Runs jobs, at most `limit` of them at the same time. The jobs must not throw. */
export async function runLimited(jobs: readonly (() => Promise<void>)[], limit: number): Promise<void> {
  const queue = jobs.values()
  const workers = Array.from({ length: Math.min(limit, jobs.length) }, async () => {
    for (const job of queue) await job()
  })
  await Promise.all(workers)
}

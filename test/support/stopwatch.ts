import { readFileSync } from 'node:fs'

/**
 * Measures milliseconds as on an idle machine: without the time that this process or one of the named processes had
 * to wait for a processor, but at least the time that the named processes worked. Without such counts (only Linux has
 * them), all time counts. Use it for upper limits; lower limits need a real clock.
 */
export function startWatch(...others: readonly number[]): () => number {
  const startedAt = performance.now()
  const readers = [process.pid, ...others].map(pid => startReading(pid))
  return () => {
    const [own, ...theirs] = readers.map(read => read())
    const inLine = theirs.reduce((sum, one) => sum + one.inLine, own?.inLine ?? 0)
    const worked = theirs.reduce((sum, one) => sum + one.worked, 0)
    return Math.max(worked, performance.now() - startedAt - inLine)
  }
}

interface Times {
  readonly worked: number
  readonly inLine: number
}

/** The additional times of a process; unchanged once it has ended. */
function startReading(pid: number): () => Times {
  const before = timesOf(pid)
  return () => {
    const now = timesOf(pid) ?? before
    if (now === undefined || before === undefined) return { worked: 0, inLine: 0 }
    return { worked: now.worked - before.worked, inLine: now.inLine - before.inLine }
  }
}

/** Of the first thread, which answers requests: `schedstat` counts nanoseconds of running, and of waiting to run. */
function timesOf(pid: number): Times | undefined {
  try {
    const [worked, inLine] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
    return { worked: Number(worked) / 1e6, inLine: Number(inLine) / 1e6 }
  } catch {
    return undefined
  }
}

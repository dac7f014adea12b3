import { readFileSync } from 'node:fs'

/**
 * Milliseconds since, as they would be on a machine that does nothing else: without those for which this process, or one of
 * the others that are named, was ready to go on and had to wait for a processor; but never less than what the others have
 * worked meanwhile. Where the system does not count it (Linux does), all of the time. This is for what may not take longer;
 * what has to take as long is held against a clock.
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

/** What has come to the times of a process since; nothing more once it has ended. */
function startReading(pid: number): () => Times {
  const before = timesOf(pid)
  return () => {
    const now = timesOf(pid) ?? before
    if (now === undefined || before === undefined) return { worked: 0, inLine: 0 }
    return { worked: now.worked - before.worked, inLine: now.inLine - before.inLine }
  }
}

/** Of the first thread, which is the one that answers: `schedstat` counts nanoseconds at work, and nanoseconds in line. */
function timesOf(pid: number): Times | undefined {
  try {
    const [worked, inLine] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
    return { worked: Number(worked) / 1e6, inLine: Number(inLine) / 1e6 }
  } catch {
    return undefined
  }
}

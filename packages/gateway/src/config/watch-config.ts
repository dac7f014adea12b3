/** Interval between checks of files that are being written, in milliseconds. */
const SETTLE_MS = 50
/**
 * Number of checks after which files are read even if they keep changing, so that an edit takes effect within a second.
 */
const MAX_CHECKS = 8
/**
 * Polling interval, in milliseconds. File system events are not used, because network drives and folders that replaced
 * another folder do not send them.
 */
const IDLE_MS = 500

export interface Watch {
  /** Checks the files soon, including files that were added in the meantime. */
  check(): void
  close(): void
}

interface Watched {
  findChange(): string | undefined
}

/**
 * Calls `onChange` when the content of the files has changed and is stable. Other files in the folder are ignored,
 * because a program can write there all the time, for example a log.
 */
export function watchConfig(watched: () => Watched, onChange: () => void): Watch {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let unsettled: { readonly change: string; readonly checks: number } | undefined

  /** Checks the files, and returns the time until the next check. */
  function check(): number {
    const change = watched().findChange()
    if (change !== undefined && !isSettled(change)) return SETTLE_MS
    unsettled = undefined
    if (change !== undefined) onChange()
    return IDLE_MS
  }

  /** Checks the files, and continues polling even if the check throws. */
  function checkSafely(): void {
    try {
      wait(check())
    } catch {
      wait(IDLE_MS)
    }
  }

  function isSettled(change: string): boolean {
    const checks = (unsettled?.checks ?? 0) + 1
    const isStable = unsettled?.change === change
    unsettled = { change, checks }
    return isStable || checks >= MAX_CHECKS
  }

  function wait(ms: number): void {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(checkSafely, ms).unref()
  }

  wait(check())
  return {
    check: () => wait(SETTLE_MS),
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 25

/**
 * Ends a child and everything it started: first by asking, then, after the grace period, by force. `npx` and
 * shells leave grandchildren behind when only the child itself is told.
 */
export async function endProcessGroup(pid: number | undefined, graceMs: number): Promise<void> {
  if (pid === undefined || !signalGroup(pid, 'SIGTERM')) return
  const deadline = Date.now() + graceMs
  while (Date.now() < deadline) {
    if (!signalGroup(pid, 0)) return
    await sleep(POLL_MS)
  }
  signalGroup(pid, 'SIGKILL')
}

/** False when nobody of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    // A negative id means the whole group; Windows has none, there the child itself must do.
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
    return true
  } catch {
    return false
  }
}

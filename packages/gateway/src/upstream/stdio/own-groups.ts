import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFolder } from '../../base/create-folder.ts'
import { markProcess, type ProcessMark } from '../../base/process-mark.ts'

/** The process groups of one gateway, for whoever comes after it was killed. */
export interface GroupRecord extends ProcessMark {
  /** When it was there last, in clock ticks since the boot: what is in its groups and is older, it started. */
  readonly seen: number
  /** Each by the process that it was made for; its number alone says nothing, numbers are used again. */
  readonly groups: readonly { readonly pid: number; readonly start: string }[]
}

/** Folder of a home where they are. */
export const RECORDS = 'children'

/** What servers start within so long before a kill may be taken for somebody else's, and is left alone. */
const AGAIN_MS = 2000

/** The groups that this process has started and not ended. There is one of it, as there is one process. */
class OwnGroups {
  readonly #groups = new Map<number, string>()
  #file: string | undefined
  #timer: NodeJS.Timeout | undefined

  /** From now on it is written down, in a file of its own that is there only while there is something to say. */
  keepIn(home: string): void {
    // Elsewhere than on Linux nobody could tell later whose a process is.
    const { pid, processStart } = markProcess()
    if (processStart !== '') this.#file = join(home, RECORDS, `${pid}.${processStart}.json`)
  }

  add(pid: number | undefined): void {
    if (pid === undefined) return
    this.#groups.set(pid, markProcess(pid).processStart)
    this.#write()
  }

  remove(pid: number | undefined): void {
    if (pid !== undefined && this.#groups.delete(pid)) this.#write()
  }

  #write(): void {
    const file = this.#file
    if (file === undefined) return
    const groups = [...this.#groups].map(([pid, start]) => ({ pid, start }))
    clearTimeout(this.#timer)
    try {
      if (groups.length === 0) return rmSync(file, { force: true })
      const record: GroupRecord = { ...markProcess(), seen: ticksNow(), groups }
      createFolder(join(file, '..'), 0o700)
      writeFileSync(`${file}.tmp`, JSON.stringify(record), { mode: 0o600 })
      renameSync(`${file}.tmp`, file)
      this.#timer = setTimeout(() => this.#write(), AGAIN_MS).unref()
    } catch {
      // A full disk must not keep a server from starting; what is missing is only needed after a kill.
    }
  }
}

/** As /proc/PID/stat counts, of which there are a hundred a second. */
function ticksNow(): number {
  const [seconds] = readFileSync('/proc/uptime', 'utf8').split(' ')
  return Math.floor(Number(seconds) * 100)
}

export const ownGroups = new OwnGroups()

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

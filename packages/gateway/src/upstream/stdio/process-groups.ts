import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFolder } from '../../base/create-folder.ts'
import { markProcess, type ProcessMark } from '../../base/process-mark.ts'

/** The process groups of one gateway, so that the next one can end them if this one is killed. */
export interface GroupRecord extends ProcessMark {
  /**
   * When the gateway last wrote the record, in clock ticks since the boot. All older processes in these groups were
   * started by its servers.
   */
  readonly seen: number
  /** The groups, each with the start time of its first process, because process ids are reused. */
  readonly groups: readonly { readonly pid: number; readonly start: string }[]
}

export const RECORDS = 'children'

/**
 * How often the record is written. Processes that a server starts after the last write before a kill are not
 * recognised, and keep running.
 */
const AGAIN_MS = 2000

/** The groups that this process has started and not yet ended. There is one instance for each process. */
class ProcessGroups {
  readonly #groups = new Map<number, string>()
  #file: string | undefined
  #timer: NodeJS.Timeout | undefined

  /** From now on, records the groups in a file, which exists only while there are groups. */
  keepIn(home: string): void {
    // Only Linux has the start times that let a later process recognise these groups.
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
      // A full disk must not prevent a server from starting; the record is needed only after a kill.
    }
  }
}

/** The time since the boot in the clock ticks of /proc/PID/stat, of which there are 100 a second. */
function ticksNow(): number {
  const [seconds] = readFileSync('/proc/uptime', 'utf8').split(' ')
  return Math.floor(Number(seconds) * 100)
}

export const processGroups = new ProcessGroups()

const POLL_MS = 25

/**
 * Ends a child and everything that it started: first with SIGTERM, then, after the grace period, by force. `npx` and
 * shells leave grandchildren behind if only the child gets the signal.
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

/** Sends a signal to a group. Returns false if no process of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    // A negative id means the whole group. Windows has no groups, so only the child gets the signal.
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
    return true
  } catch {
    return false
  }
}

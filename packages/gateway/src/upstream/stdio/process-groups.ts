import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFolder } from '../../base/create-folder.ts'
import { markProcess, type ProcessMark } from '../../base/process-mark.ts'

/** The process groups of one gateway, so that the next one can end them if this one is killed. */
export interface GroupRecord extends ProcessMark {
  /**
   * When the gateway last wrote the record, in clock ticks since the boot: it started all older processes of its
   * groups.
   */
  readonly seen: number
  /** Each with the start time of its process, because process ids are reused. */
  readonly groups: readonly { readonly pid: number; readonly start: string }[]
}

export const RECORDS = 'children'

/** Processes that a server starts this shortly before a kill are not recognised, and keep running. */
const AGAIN_MS = 2000

/** The groups that this process started and has not ended: one instance for each process. */
class ProcessGroups {
  readonly #groups = new Map<number, string>()
  #file: string | undefined
  #timer: NodeJS.Timeout | undefined

  /** From now on the groups are recorded in a file, which exists only while there are any. */
  keepIn(home: string): void {
    // Only Linux lets a later process recognise these.
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

/** Clock ticks as in /proc/PID/stat: 100 a second. */
function ticksNow(): number {
  const [seconds] = readFileSync('/proc/uptime', 'utf8').split(' ')
  return Math.floor(Number(seconds) * 100)
}

export const processGroups = new ProcessGroups()

const POLL_MS = 25

/**
 * Ends a child and everything that it started: first by a signal to stop, then, after the grace period, by force. `npx`
 * and shells leave grandchildren behind if only the child gets the signal.
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

/** False if no process of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    // A negative id means the whole group; Windows has no groups, so the child itself must do.
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
    return true
  } catch {
    return false
  }
}

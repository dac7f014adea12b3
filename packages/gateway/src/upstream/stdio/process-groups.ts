import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFolder } from '../../base/create-folder.ts'
import { markProcess, type ProcessMark } from '../../base/process-mark.ts'

/** The process groups of one gateway. If that gateway is killed, the next one uses the record to end them. */
export interface GroupRecord extends ProcessMark {
  /**
   * The time at which the gateway last wrote the record, in clock ticks since boot. Any process in these groups that is
   * older was started by the gateway's servers.
   */
  readonly seen: number
  /** The groups, each with its first process's start time, because process ids are reused. */
  readonly groups: readonly { readonly pid: number; readonly start: string }[]
}

export const RECORDS = 'children'

/**
 * How often the record is written. If the gateway is killed, processes that servers started after the last write are
 * not recognised and keep running.
 */
const AGAIN_MS = 2000

/** The groups that this gateway has started and not yet ended. There is one instance per gateway process. */
class ProcessGroups {
  readonly #groups = new Map<number, string>()
  #file: string | undefined
  #timer: NodeJS.Timeout | undefined

  /** Begins to record the groups in a file. The file exists only while there are groups. */
  keepIn(home: string): void {
    // Only Linux has process start times, by which a later process can recognise these groups.
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
      // A full disk must not keep a server from starting. The record matters only if the gateway is killed.
    }
  }
}

/** Returns the time since boot in the clock ticks of /proc/PID/stat, 100 per second. */
function ticksNow(): number {
  const [seconds] = readFileSync('/proc/uptime', 'utf8').split(' ')
  return Math.floor(Number(seconds) * 100)
}

export const processGroups = new ProcessGroups()

const POLL_MS = 25

/**
 * Ends a child process and everything that it started: first with SIGTERM, then, after the grace period, by force. If
 * only the child were signalled, `npx` and shells would leave grandchildren behind.
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

/** Signals a process group. Returns false if no process of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    // A negative id signals the whole group. Windows has no process groups, so there only the child is signalled.
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
    return true
  } catch {
    return false
  }
}

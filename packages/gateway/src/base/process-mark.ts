import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { attempt } from './attempt.ts'

/** Identifies one process, and distinguishes it from a later one with the same process id. */
export interface ProcessMark {
  /** Processes with the same `place` can see each other. */
  readonly place: string
  readonly pid: number
  /** The start time as the operating system reports it; empty if it cannot be read. */
  readonly processStart: string
}

/** Interval, in milliseconds, at which a writer with open calls shows that it is active. */
export const HEARTBEAT_MS = 10_000
/** How long a process that cannot be seen from here may be silent before it counts as gone. */
const SILENT_MS = 60_000

export function markProcess(pid = process.pid): ProcessMark {
  return { place: findPlace(), pid, processStart: readProcessStart(pid) ?? '' }
}

/**
 * True if the process of this writer no longer runs, so that its open calls can be closed. A process in the same place
 * is checked directly. For others, such as those in another container, only their silence counts.
 */
export function isGone(
  writer: ProcessMark & { readonly seenAt: number },
  here: ProcessMark,
  now: number,
): boolean {
  const isSilent = now - writer.seenAt > SILENT_MS
  if (writer.place !== here.place) return isSilent
  if (!isRunning(writer.pid)) return true
  const start = readProcessStart(writer.pid)
  // Without a start time, the running process could be a different one that now has the same id.
  return start === undefined || writer.processStart === '' ? isSilent : start !== writer.processStart
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Returns the boot id and the namespace of process ids, or the host name on systems other than Linux. */
function findPlace(): string {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  const namespace = attempt(() => readlinkSync('/proc/self/ns/pid'))
  return boot === undefined ? hostname() : `${boot} ${namespace ?? hostname()}`
}

/**
 * Returns field 22 of /proc/PID/stat, the start time in clock ticks since boot. The program's name before it can
 * contain spaces and brackets.
 */
function readProcessStart(pid: number): string | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

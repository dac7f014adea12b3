import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { attempt } from './attempt.ts'

/** What tells one process from all others, also from a later one with the same id. */
export interface ProcessMark {
  /** Where processes see each other. */
  readonly place: string
  readonly pid: number
  /** When it started, as the system has it; empty where that cannot be read. */
  readonly processStart: string
}

/** A writer with open calls shows that it is there at least this often. */
export const HEARTBEAT_MS = 10_000
/** Who cannot be looked at from here counts as gone after this long. */
const SILENT_MS = 60_000

export function markProcess(pid = process.pid): ProcessMark {
  return { place: findPlace(), pid, processStart: readProcessStart(pid) ?? '' }
}

/**
 * Whether nobody will ever end what this writer left open. Where its process would be seen, a look tells at once;
 * elsewhere, such as in another container, only its silence does.
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
  // Without a start time the id may have been given to somebody else since.
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

/** The boot and the namespace of process ids; elsewhere than on Linux the name of the machine has to do. */
function findPlace(): string {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  const namespace = attempt(() => readlinkSync('/proc/self/ns/pid'))
  return boot === undefined ? hostname() : `${boot} ${namespace ?? hostname()}`
}

/** Field 22 of /proc/PID/stat, in clock ticks since the boot; the name before it may have spaces and brackets. */
function readProcessStart(pid: number): string | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

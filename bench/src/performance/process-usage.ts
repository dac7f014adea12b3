// Resource use of a process and its descendants, without the bench's own servers, read from /proc.
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100
const UPSTREAM = 'upstream-stdio.js'

export interface Usage {
  readonly cpuMicros: number
  readonly rssMegabytes: number
}

export function canMeasure(): boolean {
  return process.platform === 'linux'
}

export function readUsage(pid: number): Usage {
  const pids = [pid, ...listDescendants(pid)].filter(found => found === pid || !isUpstream(found))
  const sum = (of: (pid: number) => number): number => pids.reduce((total, found) => total + of(found), 0)
  return { cpuMicros: sum(readCpuMicros), rssMegabytes: sum(readRssMegabytes) }
}

/**
 * `schedstat` counts nanoseconds; `stat` counts hundredths of a second, which is too coarse for short rounds. Not every kernel
 * has `schedstat`.
 */
function readCpuMicros(pid: number): number {
  const nanos = listTasks(pid).map(task =>
    Number(read(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0] ?? 0),
  )
  const micros = nanos.reduce((sum, value) => sum + value, 0) / 1000
  return micros > 0 ? micros : readTickMicros(pid)
}

/** utime and stime: fields 14 and 15 of `stat`, counted after the name, which may contain any character. */
function readTickMicros(pid: number): number {
  const stat = read(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 1e6) / TICKS_PER_SECOND
}

function readRssMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

function listDescendants(pid: number): number[] {
  const children = listTasks(pid).flatMap(task =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap(child => [child, ...listDescendants(child)])
}

function listTasks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function isUpstream(pid: number): boolean {
  return read(`/proc/${pid}/cmdline`).includes(UPSTREAM)
}

/** A process may end between two reads. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

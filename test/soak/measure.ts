import { readdirSync, readFileSync } from 'node:fs'
import type { Gateway } from '../support/gateway.ts'
import { waitForLine } from './patience.ts'

/** The memory of a process as reported by the system; undefined when not available. */
export interface Held {
  readonly megabytes: number
  readonly files: number
  readonly children: number
}

export function measure(pid: number): Held {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return {
      megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024,
      files: readdirSync(`/proc/${pid}/fd`).length,
      children: childrenOf(pid).length,
    }
  } catch {
    return { megabytes: 0, files: 0, children: 0 }
  }
}

/** What remains in the idle gateway after garbage collection: megabytes, and counts of objects. */
export interface Reading {
  readonly rss: number
  readonly heap: number
  readonly external: number
  readonly timers: number
  /** Sockets, streams, requests, responses. */
  readonly emitters: number
  readonly signals: number
  readonly functions: number
}

const PROBE = /^soak-probe (\{.*\})$/

/** Asks the probe loaded into the gateway. */
export async function probe(gateway: Gateway): Promise<Reading> {
  const isReading = (line: string): boolean => PROBE.test(line)
  const before = gateway.stderr.items.filter(isReading).length
  process.kill(gateway.pid, 'SIGUSR2')
  const line = await waitForLine(gateway, new RegExp(`^soak-probe .*"reading":${before + 1},`))
  return JSON.parse(PROBE.exec(line)?.[1] ?? '{}') as Reading
}

const TICKS_PER_SECOND = 100

/** CPU seconds so far of a process and its children, including those that have exited. */
export function cpuOf(pid: number): { readonly own: number; readonly children: number } {
  const times = timesOf(pid)
  const living = childrenOf(pid).reduce((sum, child) => sum + timesOf(child).own, 0)
  return { own: times.own, children: times.ended + living }
}

function timesOf(pid: number): { readonly own: number; readonly ended: number } {
  try {
    // The name is in brackets and may contain blanks; utime, stime, cutime and cstime are fields 14 to 17.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const [user = 0, system = 0, userEnded = 0, systemEnded = 0] = fields.slice(11, 15).map(Number)
    return { own: (user + system) / TICKS_PER_SECOND, ended: (userEnded + systemEnded) / TICKS_PER_SECOND }
  } catch {
    return { own: 0, ended: 0 }
  }
}

function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const lists = threads.map(thread => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'))
    return lists.flatMap(list => list.split(' ').filter(Boolean).map(Number))
  } catch {
    return []
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** The same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

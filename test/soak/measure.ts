import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** What a process holds, as the system sees it; nothing where it does not say. */
export interface Held {
  readonly megabytes: number
  readonly files: number
  readonly children: number
}

export function measure(pid: number): Held {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    return {
      megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024,
      files: readdirSync(`/proc/${pid}/fd`).length,
      children: children
        .trim()
        .split('\n')
        .filter(line => line !== '').length,
    }
  } catch {
    return { megabytes: 0, files: 0, children: 0 }
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** The same numbers from the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

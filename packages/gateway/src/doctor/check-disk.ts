import type { DoctorFinding } from './finding.ts'
import { quote } from './repair.ts'

const MIB = 1024 * 1024
/** Below this a store soon cannot be written, and then nothing but reads goes through, or not even they. */
const FULL_BYTES = 64 * MIB
const LOW_BYTES = 1024 * MIB

/** A disk that something of ours is on. */
export interface DiskFacts {
  readonly path: string
  readonly freeBytes: number
  /** How many more files there can be; absent where the file system does not count them. */
  readonly freeFiles?: number
}

export function checkDisks(disks: readonly DiskFacts[]): readonly DoctorFinding[] {
  return disks.flatMap(({ path, freeBytes, freeFiles }): readonly DoctorFinding[] => {
    const isFull = freeBytes < FULL_BYTES || freeFiles === 0
    if (!isFull && freeBytes >= LOW_BYTES) return []
    const left = freeFiles === 0 ? 'no room for another file' : `${Math.floor(freeBytes / MIB)} MiB left`
    return [
      {
        code: isFull ? 'disk_full' : 'disk_low',
        level: isFull ? 'error' : 'warning',
        text: `the disk of ${path} has ${left}; without room nothing can be recorded, and calls are refused`,
        fix: `make room (df -h ${quote(path)} shows the disk); for the audit log: hintgate audit prune --before 90d`,
      },
    ]
  })
}

import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type DoctorFinding, quote } from './finding.ts'

const MIB = 1024 * 1024
/** Below this a store soon cannot be written, and then nothing but reads goes through, or not even they. */
const FULL_BYTES = 64 * MIB
const LOW_BYTES = 1024 * MIB

/** A disk that something of ours is on. */
interface DiskFacts {
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

/** The disks that these paths are on or would be, each once. */
export function measureDisks(paths: readonly string[]): readonly DiskFacts[] {
  const found = new Map<number, DiskFacts>()
  for (const path of paths) {
    const place = findPlace(path)
    if (place === undefined || found.has(place.device)) continue
    const { bavail, bsize, files, ffree } = statfsSync(place.path)
    // Some file systems have no fixed number of files, and say 0 of 0.
    found.set(place.device, { path, freeBytes: bavail * bsize, ...(files > 0 && { freeFiles: ffree }) })
  }
  return [...found.values()]
}

/** What is not there yet will be made where its nearest folder is. */
function findPlace(path: string): { readonly path: string; readonly device: number } | undefined {
  const stats = lookAt(path)
  if (stats !== undefined) return { path, device: stats.dev }
  return dirname(path) === path ? undefined : findPlace(dirname(path))
}

function lookAt(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

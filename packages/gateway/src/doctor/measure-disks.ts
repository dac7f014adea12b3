import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DiskFacts } from './check-disk.ts'

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

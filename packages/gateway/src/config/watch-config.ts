import { createHash } from 'node:crypto'
import { type FSWatcher, readFileSync, realpathSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** Long enough for an editor to finish its dance of temporary files, short enough not to be noticed. */
const SETTLE_MS = 100

export interface Watch {
  close(): void
}

/**
 * Calls back after the content of a file has changed. It is the folder that is watched: a watch on the file
 * dies when an editor saves by renaming. Where the file is a link, the folder it leads to is watched as well.
 */
export function watchConfig(path: string, onChange: () => void): Watch {
  const watchers = new Map<string, FSWatcher>()
  let seen = hashOf(path)
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function look(): void {
    timer = undefined
    watchFolders()
    const found = hashOf(path)
    // Gone for a moment is how some editors save; gone for good leaves the running config in force.
    if (found === undefined || found === seen) return
    seen = found
    onChange()
  }

  function settle(): void {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(look, SETTLE_MS).unref()
  }

  function watchFolders(): void {
    const wanted = foldersOf(path)
    for (const [folder, watcher] of watchers) {
      if (wanted.has(folder)) continue
      watcher.close()
      watchers.delete(folder)
    }
    for (const folder of wanted) if (!watchers.has(folder)) watchFolder(folder)
  }

  function watchFolder(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, settle)
      watcher.on('error', () => {
        watcher.close()
        watchers.delete(folder)
      })
      watchers.set(folder, watcher)
    } catch {
      // A folder that is not there yet, or no longer, changes nothing.
    }
  }

  watchFolders()
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    },
  }
}

function foldersOf(path: string): Set<string> {
  try {
    return new Set([dirname(path), dirname(realpathSync(path))])
  } catch {
    return new Set([dirname(path)])
  }
}

function hashOf(path: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex')
  } catch {
    return undefined
  }
}

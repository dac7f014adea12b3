import { createHash } from 'node:crypto'
import { type FSWatcher, readdirSync, readFileSync, realpathSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { matchesGlob } from '../tokens/match-scope.ts'

/** Long enough for an editor to finish its dance of temporary files, short enough not to be noticed. */
const SETTLE_MS = 100

export interface Watch {
  close(): void
}

/**
 * Calls back after the content of files has changed; a last part with `*` stands for all files of such a name. It is the
 * folder that is watched: a watch on the file dies when an editor saves by renaming. Where the file is a link, the folder
 * it leads to is watched as well.
 */
export function watchConfig(paths: () => readonly string[], onChange: () => void): Watch {
  const watchers = new Map<string, FSWatcher>()
  let seen = hashAll(paths())
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function look(): void {
    timer = undefined
    watchFolders()
    const found = hashAll(paths())
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
    const wanted = new Set(paths().flatMap(path => [...foldersOf(path)]))
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

/** Undefined while one of them is gone. */
function hashAll(paths: readonly string[]): string | undefined {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(expand)) {
    const content = contentOf(file)
    if (content === undefined) return undefined
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function expand(path: string): readonly string[] {
  if (!path.includes('*')) return [path]
  const folder = dirname(path)
  try {
    const names = readdirSync(folder).filter(name => matchesGlob(basename(path), name))
    return names.toSorted().map(name => join(folder, name))
  } catch {
    return []
  }
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

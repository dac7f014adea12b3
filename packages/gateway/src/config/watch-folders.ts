import { type FSWatcher, watch } from 'node:fs'

export interface FolderWatch {
  /** From now on these, and no others. */
  follow(folders: ReadonlySet<string>): void
  close(): void
}

/** Tells when something happens in folders: a watch on a file would die when an editor saves by renaming. */
export function watchFolders(onEvent: () => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>()

  function leave(folder: string): void {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  function enter(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, onEvent)
      watchers.set(folder, watcher)
      watcher.on('error', () => leave(folder))
    } catch {
      // A folder that is not there yet, or no longer, changes nothing.
    }
  }

  return {
    follow(folders) {
      for (const folder of watchers.keys()) if (!folders.has(folder)) leave(folder)
      for (const folder of folders) if (!watchers.has(folder)) enter(folder)
    },
    close() {
      for (const folder of watchers.keys()) leave(folder)
    },
  }
}

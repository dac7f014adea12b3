import { type FSWatcher, watch } from 'node:fs'

interface FolderWatch {
  /** From now on these, and no others. */
  follow(folders: ReadonlySet<string>): void
  close(): void
}

/** Tells when something happens in folders: a watch on a file would die when an editor saves by renaming. */
function watchFolders(onEvent: () => void): FolderWatch {
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

/** Between two looks at files that are being written. Short enough not to be noticed. */
const SETTLE_MS = 50
/** Files that never hold still are read all the same after so many looks: an edit is in force within a second. */
const MOST_LOOKS = 12
/**
 * Between two looks while nothing happens. Not everything is told to us: a network drive tells nothing, nor does a folder
 * that has taken the place of the watched one, and watches can run out.
 */
const REST_MS = 1000

interface Watch {
  /** Looks soon, at other files if there are others now. */
  look(): void
  close(): void
}

/** What is watched, as `Sources` are. */
interface Watched {
  news(): string | undefined
  folders(): Set<string>
}

/**
 * Calls back when files hold something new and hold still. It is their content that has to hold still, and not their
 * folder: others write there as well, a log for instance, and must not put an edit off.
 */
export function watchConfig(watched: () => Watched, onChange: () => void): Watch {
  const folders = watchFolders(soon)
  let timer: NodeJS.Timeout | undefined
  let isSoon = false
  let isClosed = false
  let unsettled: { readonly news: string; readonly looks: number } | undefined

  function look(): void {
    isSoon = false
    folders.follow(watched().folders())
    const news = watched().news()
    if (news === undefined) {
      unsettled = undefined
      wait(REST_MS)
    } else if (isSettled(news)) {
      unsettled = undefined
      onChange()
      wait(REST_MS)
    } else soon()
  }

  /** A look that fails is no reason never to look again. */
  function lookSafely(): void {
    try {
      look()
    } catch {
      wait(REST_MS)
    }
  }

  function isSettled(news: string): boolean {
    const looks = (unsettled?.looks ?? 0) + 1
    const isStill = unsettled?.news === news
    unsettled = { news, looks }
    return isStill || looks >= MOST_LOOKS
  }

  /** Never later than was said before, however often it is said. */
  function soon(): void {
    if (isSoon) return
    isSoon = true
    wait(SETTLE_MS)
  }

  function wait(ms: number): void {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(lookSafely, ms).unref()
  }

  look()
  return {
    look: soon,
    close() {
      isClosed = true
      clearTimeout(timer)
      folders.close()
    },
  }
}

import { HintgateError } from '../base/errors.ts'
import { Sources } from './sources.ts'
import { watchConfig } from './watch-config.ts'

export type ReloadEvent<T> =
  | { readonly kind: 'applied'; readonly loaded: T }
  /** The new config was refused, and the running one stays in force. */
  | { readonly kind: 'refused'; readonly error: HintgateError }

export interface Reloader {
  /**
   * Reloads even if no watched file has changed, for example on SIGHUP, because the content of a `${file:…}` might have
   * changed.
   */
  readonly reload: () => Promise<void>
  readonly close: () => void
}

interface ReloaderOptions<T> {
  /** The files of the running config. */
  readonly sources: Sources
  /**
   * Loads the config. Must note every file in `sources` before reading it, because the noted files are watched. Throws
   * a `HintgateError` if the new config is invalid.
   */
  readonly load: (sources: Sources) => Promise<T>
  readonly onEvent: (event: ReloadEvent<T>) => void
}

/** Creates a reloader, which applies valid edits and reports invalid ones. */
export function createReloader<T>({ sources: first, load, onEvent }: ReloaderOptions<T>): Reloader {
  let sources = first
  let turn = Promise.resolve()
  let isClosed = false

  async function read(): Promise<void> {
    const next = new Sources()
    try {
      const event = await tryLoad(() => load(next))
      if (!isClosed) onEvent(event)
    } finally {
      // The new config's files are watched even after a failure, so that an invalid file is tried again once it is
      // edited.
      sources = next
      watch.check()
    }
  }

  /** Runs tasks one at a time, so that an older config never replaces a newer one. */
  function queue(task: () => Promise<void>): Promise<void> {
    // An unexpected error in one task does not stop the next one.
    turn = turn.then(task, task)
    return turn
  }

  // Looks for changes again, because the previous task might have read the change already.
  const readChanges = async (): Promise<void> => (sources.findChange() === undefined ? undefined : read())
  const watch = watchConfig(
    () => sources,
    () => void queue(readChanges),
  )
  return {
    reload: () => queue(read),
    close() {
      isClosed = true
      watch.close()
    },
  }
}

async function tryLoad<T>(load: () => Promise<T>): Promise<ReloadEvent<T>> {
  try {
    return { kind: 'applied', loaded: await load() }
  } catch (error) {
    if (!(error instanceof HintgateError)) throw error
    return { kind: 'refused', error }
  }
}

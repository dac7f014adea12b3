import { HintgateError } from '../base/errors.ts'
import { Sources } from './sources.ts'
import { watchConfig } from './watch-config.ts'

export type ReloadEvent<T> =
  | { readonly kind: 'applied'; readonly loaded: T }
  /** What is running stays in force. */
  | { readonly kind: 'refused'; readonly error: HintgateError }

export interface Reloader {
  /** For instance on SIGHUP: what `${env:…}` and `${file:…}` hold is no part of the file. */
  readonly reload: () => Promise<void>
  readonly close: () => void
}

interface ReloaderOptions<T> {
  /** Of what is running. */
  readonly sources: Sources
  /**
   * Notes every file before it reads it; these are watched from then on. Fails with a `HintgateError` where the new state
   * of things is no good.
   */
  readonly load: (sources: Sources) => Promise<T>
  readonly onEvent: (event: ReloadEvent<T>) => void
}

/** Takes over a good edit and only reports a bad one. */
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
      // Also after a failure: what was no good once is tried again when it has been edited.
      sources = next
      watch.look()
    }
  }

  /** One after the other, so that an older state of things never takes the place of a newer one. */
  function queue(task: () => Promise<void>): Promise<void> {
    // A fault of ours in one turn is told as such, and does not end the turns.
    turn = turn.then(task, task)
    return turn
  }

  // Whoever had the turn before may have read it already.
  const readNews = async (): Promise<void> => (sources.news() === undefined ? undefined : read())
  const watch = watchConfig(
    () => sources,
    () => void queue(readNews),
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

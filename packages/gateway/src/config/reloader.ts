import { HintgateError } from '../errors.ts'
import { watchConfig } from './watch-config.ts'

export type ReloadEvent<T> =
  | { readonly kind: 'applied'; readonly loaded: T }
  /** What is running stays in force. */
  | { readonly kind: 'refused'; readonly error: HintgateError }

export interface Reloader {
  /**
   * Reads the config now, for instance on SIGHUP: what `${env:…}` and `${file:…}` hold is no part of the
   * file.
   */
  readonly reload: () => void
  readonly close: () => void
}

interface ReloaderOptions<T> {
  /** Files to watch; looked at anew after every change, because one file may name others. */
  readonly paths: () => readonly string[]
  /** Fails with a `HintgateError` where the new state of things is no good. */
  readonly load: () => Promise<T>
  readonly onEvent: (event: ReloadEvent<T>) => void
}

/** Takes over a good edit and only reports a bad one. */
export function createReloader<T>({ paths, load, onEvent }: ReloaderOptions<T>): Reloader {
  // One after the other, so that an older state of things never takes the place of a newer one.
  let turn = Promise.resolve()
  const reload = (): void => {
    turn = turn.then(async () => onEvent(await tryLoad(load)))
  }
  const watch = watchConfig(paths, reload)
  return { reload, close: () => watch.close() }
}

async function tryLoad<T>(load: () => Promise<T>): Promise<ReloadEvent<T>> {
  try {
    return { kind: 'applied', loaded: await load() }
  } catch (error) {
    if (!(error instanceof HintgateError)) throw error
    return { kind: 'refused', error }
  }
}

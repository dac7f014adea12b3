import { hasCode } from '../errors.ts'
import type { Config } from './config.ts'
import type { LoadedConfig } from './load-config.ts'
import type { Problem } from './problem.ts'
import { watchConfig } from './watch-config.ts'

export type ReloadEvent =
  | { readonly kind: 'applied'; readonly config: Config }
  /** The running config stays in force. */
  | { readonly kind: 'refused'; readonly problems: readonly Problem[]; readonly file: string }

export interface Reloader {
  /**
   * Reads the config now, for instance on SIGHUP: what `${env:…}` and `${file:…}` hold is no part of the
   * file.
   */
  readonly reload: () => void
  readonly close: () => void
}

interface ReloaderOptions {
  /** Absent: there is no file to watch. */
  readonly path: string | undefined
  readonly load: () => LoadedConfig
  readonly onEvent: (event: ReloadEvent) => void
}

/** Takes over a good edit and only reports a bad one. */
export function createReloader({ path, load, onEvent }: ReloaderOptions): Reloader {
  const reload = () => onEvent(tryLoad(load))
  const watch = path === undefined ? undefined : watchConfig(path, reload)
  return { reload, close: () => watch?.close() }
}

function tryLoad(load: () => LoadedConfig): ReloadEvent {
  try {
    return { kind: 'applied', config: load().config }
  } catch (error) {
    if (!hasCode(error, 'config_invalid')) throw error
    return { kind: 'refused', problems: error.payload.problems, file: error.payload.file }
  }
}

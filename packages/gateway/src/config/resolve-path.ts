import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

export interface BaseFolders {
  /** The folder that relative paths start from: the config file's, or the working folder if there is no file. */
  readonly folder: string
  readonly homeDir: string
}

/** Makes a path absolute. `~/` stands for the user's home folder. */
export function resolvePath(path: string, { folder, homeDir }: BaseFolders): string {
  return path === '~' || path.startsWith('~/') ? join(homeDir, path.slice(1)) : resolve(folder, path)
}

/** Makes the path in a store's address absolute. `sqlite:///a/b` and `sqlite:/a/b` mean the same file. */
export function resolveStore(store: string, folders: BaseFolders): string {
  if (!store.startsWith('sqlite:')) return store
  const path = store.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')
  return `sqlite:${resolvePath(path, folders)}`
}

const CONFIG_FILE = 'hintgate.json'

interface ConfigSearch {
  /** The path given with `--config`. */
  readonly path?: string | undefined
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly home: string
}

/**
 * Finds the config file. If the user named a file, it is returned even if it is missing. Otherwise, the default
 * locations are tried in order.
 */
export function findConfig({ path, env, cwd, home }: ConfigSearch): string | undefined {
  const named = path ?? (env.HINTGATE_CONFIG || undefined)
  if (named !== undefined) return resolve(cwd, named)
  return [join(cwd, CONFIG_FILE), join(home, CONFIG_FILE)].find(file => existsSync(file))
}

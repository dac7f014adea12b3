import { join, resolve } from 'node:path'

interface Places {
  /** What a relative path is relative to. */
  readonly folder: string
  readonly homeDir: string
}

/** An absolute path; `~/` is the user's home folder. */
export function resolvePath(path: string, { folder, homeDir }: Places): string {
  return path === '~' || path.startsWith('~/') ? join(homeDir, path.slice(1)) : resolve(folder, path)
}

/** A store's address with an absolute path. `sqlite:///a/b` and `sqlite:/a/b` are the same. */
export function resolveStore(store: string, places: Places): string {
  if (!store.startsWith('sqlite:')) return store
  const path = store.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')
  return `sqlite:${resolvePath(path, places)}`
}

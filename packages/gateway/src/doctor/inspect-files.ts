import { accessSync, constants, readdirSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { FileFacts } from './check-permissions.ts'

export interface FilePlaces {
  /** Hintgate's own folder. */
  readonly home: string
  readonly config?: string | undefined
  /** The file of the store, where it is one. */
  readonly store?: string | undefined
}

/** Folders in the home whose files are private, each as it is. */
const PRIVATE_FOLDERS = ['secrets', 'secrets/agents', 'connections']

/** What of ours is there, with who may do what to it. Windows has other rights, and there the profile is private. */
export function inspectFiles({ home, config, store }: FilePlaces): readonly FileFacts[] {
  if (process.platform === 'win32') return []
  const folders = PRIVATE_FOLDERS.map(name => join(home, name))
  return [
    ...look(home, 'home'),
    ...look(join(home, 'secret.key'), 'key'),
    ...(config === undefined ? [] : look(config, 'config')),
    ...(store === undefined ? [] : listStore(store).flatMap(path => look(path, 'private'))),
    ...folders.flatMap(folder => [folder, ...listFolder(folder)]).flatMap(path => look(path, 'private')),
  ]
}

/** The database with its log, and the copies that were made before its tables changed. */
function listStore(file: string): readonly string[] {
  const name = basename(file)
  return listFolder(dirname(file)).filter(path => {
    const rest = basename(path).startsWith(name) ? basename(path).slice(name.length) : undefined
    return rest !== undefined && /^(?:|-wal|-shm|\.backup-v\d+-.*)$/.test(rest)
  })
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map(name => join(folder, name))
  } catch {
    return []
  }
}

function look(path: string, role: FileFacts['role']): readonly FileFacts[] {
  const stats = statOf(path)
  if (stats === undefined) return []
  const mode = stats.mode & 0o7777
  return [{ path, role, isFolder: stats.isDirectory(), mode, isWritable: isWritable(path) }]
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

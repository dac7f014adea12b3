import { accessSync, constants, readdirSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { commandOf, type DoctorFinding, quote, type Repair } from './finding.ts'

/** A file or folder of ours, as it lies on the disk. */
export interface FileFacts {
  readonly path: string
  /** `private`: whatever else nobody but us should read. */
  readonly role: 'home' | 'key' | 'config' | 'private'
  readonly isFolder: boolean
  /** The permission bits. */
  readonly mode: number
  readonly isWritable: boolean
}

const OTHERS = 0o077
const WORLD_WRITES = 0o002

export function checkPermissions(files: readonly FileFacts[]): readonly DoctorFinding[] {
  return files.flatMap(file => [...checkAccess(file), ...checkMode(file)])
}

function checkAccess({ path, role, isWritable }: FileFacts): readonly DoctorFinding[] {
  if (role !== 'home' || isWritable) return []
  return [
    {
      code: 'home_unwritable',
      level: 'error',
      text: `this user may not write into ${path}, where the store and the secret key are`,
      fix: `sudo chown -R "$(id -un)" ${quote(path)}; or choose another folder with --home`,
    },
  ]
}

function checkMode(file: FileFacts): readonly DoctorFinding[] {
  const { path, role, mode, isFolder } = file
  if (role === 'config') return checkConfigMode(file)
  if ((mode & OTHERS) === 0) return []
  const repair: Repair = { does: 'chmod', path, mode: isFolder ? 0o700 : 0o600 }
  return [{ ...explain(file), fix: commandOf(repair), repair }]
}

function explain({ path, role, mode }: FileFacts): Pick<DoctorFinding, 'code' | 'level' | 'text'> {
  const seen = `its mode is ${mode.toString(8)}`
  if (role === 'key')
    return {
      code: 'secret_key_exposed',
      level: 'error',
      text: `others can get at the secret key ${path} (${seen}), and no gateway starts with it. If somebody may have read it: delete it and create all tokens anew`,
    }
  if (role === 'home')
    return { code: 'home_exposed', level: 'warning', text: `others can look into ${path} (${seen})` }
  return { code: 'file_exposed', level: 'warning', text: `others can get at ${path} (${seen})` }
}

/** Who writes the config says which programs we start. Who may read it is its owner's business. */
function checkConfigMode({ path, mode }: FileFacts): readonly DoctorFinding[] {
  if ((mode & WORLD_WRITES) === 0) return []
  const repair: Repair = { does: 'chmod', path, mode: mode & ~WORLD_WRITES }
  return [
    {
      code: 'config_writable',
      level: 'error',
      text: `everybody on this machine can write ${path} (its mode is ${mode.toString(8)}), and it says which programs are started`,
      fix: commandOf(repair),
      repair,
    },
  ]
}

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

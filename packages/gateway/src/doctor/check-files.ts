import { accessSync, constants, lstatSync, readdirSync, type Stats, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { attempt } from '../base/attempt.ts'
import { commandOf, type DoctorFinding, quote, type Repair } from './finding.ts'

export interface FileFacts {
  readonly path: string
  /** `private`: whatever else nobody but us should read. */
  readonly role: 'home' | 'key' | 'config' | 'private'
  readonly isFolder: boolean
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
  const text = `this user may not write into ${path}, where the store and the secret key are`
  const fix = `sudo chown -R "$(id -un)" ${quote(path)}; or choose another folder with --home`
  return [{ code: 'home_unwritable', level: 'error', text, fix }]
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
  const text = `everybody on this machine can write ${path} (its mode is ${mode.toString(8)}), and it says which programs are started`
  return [{ code: 'config_writable', level: 'error', text, fix: commandOf(repair), repair }]
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

/** Windows has other rights, and there the profile is private. */
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
  return attempt(() => readdirSync(folder).map(name => join(folder, name))) ?? []
}

function look(path: string, role: FileFacts['role']): readonly FileFacts[] {
  const stats = statOf(path)
  if (stats === undefined) return []
  const mode = stats.mode & 0o7777
  const isWritable = attempt(() => accessSync(path, constants.W_OK) ?? true) ?? false
  return [{ path, role, isFolder: stats.isDirectory(), mode, isWritable }]
}

function statOf(path: string): Stats | undefined {
  return attempt(() => statSync(path, { throwIfNoEntry: false }))
}

export function checkLeftovers(paths: readonly string[]): readonly DoctorFinding[] {
  return paths.map(path => {
    const repair: Repair = { does: 'remove', path }
    const text = `${path} was left behind by a process that was killed; nothing needs it`
    return { code: 'leftover', level: 'info', text, fix: commandOf(repair), repair }
  })
}

/** Processes count as left behind like files: whoever started them was killed, and nobody else will end them. */
export function checkOrphans(home: string, groups: number): readonly DoctorFinding[] {
  if (groups === 0) return []
  const repair: Repair = { does: 'end processes', home }
  const text = `${groups === 1 ? 'one server' : `${groups} servers`} of a gateway that was killed still ${groups === 1 ? 'runs' : 'run'}; the next start ends ${groups === 1 ? 'it' : 'them'}`
  return [{ code: 'leftover', level: 'info', text, fix: commandOf(repair), repair }]
}

/** Without it nothing has been started here yet, and the first start makes it. */
export function checkHome(home: string, isThere: boolean): readonly DoctorFinding[] {
  if (isThere) return []
  const repair: Repair = { does: 'mkdir', path: home }
  const text = `there is no ${home} yet; the first start makes it`
  return [{ code: 'home_missing', level: 'info', text, fix: commandOf(repair), repair }]
}

const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}'
/** Drafts live for the blink of an eye; what is older belongs to a process that was killed. */
const OLD_MS = 60 * 60 * 1000

/** Drafts of ours that a process that was killed left behind. They may hold secrets. */
export function findLeftovers({ home, config }: FilePlaces, now: number): readonly string[] {
  const names = config === undefined ? [] : [basename(config)]
  return [
    ...listOld(home, /^secret\.key\.\d+\.[\da-f]{12}$/, now),
    ...listOld(join(home, 'connections'), new RegExp(`\\.${UUID}\\.tmp$`), now),
    ...names.flatMap(name => listOld(dirname(config ?? ''), draftOf(name), now)),
  ]
}

function draftOf(name: string): RegExp {
  const literal = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^\\.${literal}\\.${UUID}\\.tmp$`)
}

function listOld(folder: string, pattern: RegExp, now: number): readonly string[] {
  return listFolder(folder).filter(path => {
    const stats = pattern.test(basename(path)) ? attempt(() => lstatSync(path)) : undefined
    return stats?.isFile() && now - stats.mtimeMs > OLD_MS
  })
}

const MIB = 1024 * 1024
/** Below this a store soon cannot be written, and then nothing but reads goes through, or not even they. */
const FULL_BYTES = 64 * MIB
const LOW_BYTES = 1024 * MIB

interface DiskFacts {
  readonly path: string
  readonly freeBytes: number
  /** How many more files there can be; absent where the file system does not count them. */
  readonly freeFiles?: number
}

export function checkDisks(disks: readonly DiskFacts[]): readonly DoctorFinding[] {
  return disks.flatMap(({ path, freeBytes, freeFiles }): readonly DoctorFinding[] => {
    const isFull = freeBytes < FULL_BYTES || freeFiles === 0
    if (!isFull && freeBytes >= LOW_BYTES) return []
    const left = freeFiles === 0 ? 'no room for another file' : `${Math.floor(freeBytes / MIB)} MiB left`
    const text = `the disk of ${path} has ${left}; without room nothing can be recorded, and calls are refused`
    const fix = `make room (df -h ${quote(path)} shows the disk); for the audit log: hintgate audit prune --before 90d`
    const how = isFull
      ? ({ code: 'disk_full', level: 'error' } as const)
      : ({ code: 'disk_low', level: 'warning' } as const)
    return [{ ...how, text, fix }]
  })
}

export function measureDisks(paths: readonly string[]): readonly DiskFacts[] {
  const found = new Map<number, DiskFacts>()
  for (const path of paths) {
    const place = findPlace(path)
    if (place === undefined || found.has(place.device)) continue
    const { bavail, bsize, files, ffree } = statfsSync(place.path)
    // Some file systems have no fixed number of files, and say 0 of 0.
    found.set(place.device, { path, freeBytes: bavail * bsize, ...(files > 0 && { freeFiles: ffree }) })
  }
  return [...found.values()]
}

/** What is not there yet will be made where its nearest folder is. */
function findPlace(path: string): { readonly path: string; readonly device: number } | undefined {
  const stats = statOf(path)
  if (stats !== undefined) return { path, device: stats.dev }
  return dirname(path) === path ? undefined : findPlace(dirname(path))
}

import { accessSync, constants, lstatSync, readdirSync, type Stats, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { attempt } from '../base/attempt.ts'
import { commandOf, type DoctorFinding, quote, type Repair } from './finding.ts'

export interface FileFacts {
  readonly path: string
  /** The purpose of the file. `private` is any other file that only this user should be able to read. */
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
  const text = `this user cannot write to ${path}, which holds the store and the secret key`
  const fix = `run sudo chown -R "$(id -un)" ${quote(path)}, or choose another folder with --home`
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
  const seen = `mode ${mode.toString(8)}`
  if (role === 'key')
    return {
      code: 'secret_key_exposed',
      level: 'error',
      text: `other users can access the secret key ${path} (${seen}), so the gateway refuses to start. If another user might have read the key, delete it and create all tokens again`,
    }
  if (role === 'home')
    return {
      code: 'home_exposed',
      level: 'warning',
      text: `other users can read the folder ${path} (${seen})`,
    }
  return { code: 'file_exposed', level: 'warning', text: `other users can access ${path} (${seen})` }
}

/**
 * Checks that other users cannot write the config, because it names the programs that the gateway starts. They are
 * allowed to read it.
 */
function checkConfigMode({ path, mode }: FileFacts): readonly DoctorFinding[] {
  if ((mode & WORLD_WRITES) === 0) return []
  const repair: Repair = { does: 'chmod', path, mode: mode & ~WORLD_WRITES }
  const text = `every user of this machine can write to ${path} (mode ${mode.toString(8)}), which names the programs that the gateway starts`
  return [{ code: 'config_writable', level: 'error', text, fix: commandOf(repair), repair }]
}

export interface FilePlaces {
  /** Hintgate's own folder, with the store, the keys and the connection records. */
  readonly home: string
  readonly config?: string | undefined
  /** The database file, if the store is SQLite. */
  readonly store?: string | undefined
}

/** Folders inside Hintgate's home whose files only this user should be able to read. */
const PRIVATE_FOLDERS = ['secrets', 'secrets/agents', 'connections']

/**
 * Finds Hintgate's files and their access modes. On Windows the list is empty, because permissions work differently
 * there and user profiles are private.
 */
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

/** Lists the database file, its write-ahead log, and the backups made before migrations. */
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
    const text = `a killed process left ${path} behind; nothing uses it`
    return { code: 'leftover', level: 'info', text, fix: commandOf(repair), repair }
  })
}

/** Reports servers that still run although their gateway was killed. Only the next start of a gateway stops them. */
export function checkOrphans(home: string, groups: number): readonly DoctorFinding[] {
  if (groups === 0) return []
  const repair: Repair = { does: 'end processes', home }
  const text = `${groups === 1 ? 'one server' : `${groups} servers`} of a killed gateway still ${groups === 1 ? 'runs' : 'run'}; the next start stops ${groups === 1 ? 'it' : 'them'}`
  return [{ code: 'leftover', level: 'info', text, fix: commandOf(repair), repair }]
}

export function checkHome(home: string, isThere: boolean): readonly DoctorFinding[] {
  if (isThere) return []
  const repair: Repair = { does: 'mkdir', path: home }
  const text = `${home} does not exist yet; the first start creates it`
  return [{ code: 'home_missing', level: 'info', text, fix: commandOf(repair), repair }]
}

const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}'
/**
 * A draft file older than this is a leftover. Drafts normally exist only for a moment, so an older one was left by a
 * killed process.
 */
const OLD_MS = 60 * 60 * 1000

/** Finds draft files that a killed process left behind. They can contain secrets. */
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
/** With less free space than this, the store will soon be full, and the gateway will refuse calls. */
const FULL_BYTES = 64 * MIB
const LOW_BYTES = 1024 * MIB

interface DiskFacts {
  readonly path: string
  readonly freeBytes: number
  /** How many more files can be created; undefined if the file system has no limit. */
  readonly freeFiles?: number
}

export function checkDisks(disks: readonly DiskFacts[]): readonly DoctorFinding[] {
  return disks.flatMap(({ path, freeBytes, freeFiles }): readonly DoctorFinding[] => {
    const isFull = freeBytes < FULL_BYTES || freeFiles === 0
    if (!isFull && freeBytes >= LOW_BYTES) return []
    const left = freeFiles === 0 ? 'no space for another file' : `${Math.floor(freeBytes / MIB)} MiB left`
    const text = `the disk of ${path} has ${left}; if the disk is full, calls cannot be recorded and are refused`
    const fix = `free some space (df -h ${quote(path)} shows the disk), for example with hintgate audit prune --before 90d`
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
    // A file system without a limit on the number of files reports 0 of 0.
    found.set(place.device, { path, freeBytes: bavail * bsize, ...(files > 0 && { freeFiles: ffree }) })
  }
  return [...found.values()]
}

/** Finds the path itself or, if the path does not exist yet, the nearest existing folder above it. */
function findPlace(path: string): { readonly path: string; readonly device: number } | undefined {
  const stats = statOf(path)
  if (stats !== undefined) return { path, device: stats.dev }
  return dirname(path) === path ? undefined : findPlace(dirname(path))
}

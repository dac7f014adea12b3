import { lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { FilePlaces } from './check-permissions.ts'
import { commandOf, type DoctorFinding, type Repair } from './finding.ts'

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
  return readNames(folder)
    .filter(name => pattern.test(name))
    .map(name => join(folder, name))
    .filter(path => isOldFile(path, now))
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isOldFile(path: string, now: number): boolean {
  try {
    const stats = lstatSync(path)
    return stats.isFile() && now - stats.mtimeMs > OLD_MS
  } catch {
    return false
  }
}

import { lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { FilePlaces } from './inspect-files.ts'

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

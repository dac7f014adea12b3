import { readdirSync, statSync } from 'node:fs'
import { join, parse, sep } from 'node:path'
import { matchesGlob } from '../../scope/match-scope.ts'

/** Returns the files that match an absolute path. A `*` in the path matches any characters within one path segment. */
export function findFiles(pattern: string): readonly string[] {
  const { root } = parse(pattern)
  const steps = pattern.slice(root.length).split(sep)
  let found = [root]
  for (const step of steps)
    found = found.flatMap(folder => (step.includes('*') ? list(folder, step) : [join(folder, step)]))
  return found.filter(isFile)
}

function list(folder: string, glob: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter(name => matchesGlob(glob, name) && (!name.startsWith('.') || glob.startsWith('.')))
      .map(name => join(folder, name))
  } catch {
    return []
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    // The file was deleted, is a link to itself, or cannot be accessed.
    return false
  }
}

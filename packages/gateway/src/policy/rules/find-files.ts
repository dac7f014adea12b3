import { readdirSync, statSync } from 'node:fs'
import { join, parse, sep } from 'node:path'
import { matchesGlob } from '../../scope/match-scope.ts'

/** The files that an absolute path means; `*` stands for any characters within one step of it. */
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
    // Gone, a link to itself, or not for us.
    return false
  }
}

import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents if they do not exist. Used instead of `mkdirSync` with `recursive`, which on Node 20
 * never returns if a parent, such as `/proc`, cannot have subfolders.
 */
export function createFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error
    createFolder(dirname(path), mode)
    createFolder(path, mode)
  }
}

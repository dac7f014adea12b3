import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * A folder and those that it is in, unless they are there. As `mkdirSync` with `recursive`, which never ends on Node 20 where
 * a folder can have none in it (`/proc`).
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

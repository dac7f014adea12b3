import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createFolder } from '../base/create-folder.ts'
import { HintgateError } from '../base/errors.ts'
import { readRegularFile } from '../base/read-regular-file.ts'
import type { ClientText } from './client-text.ts'

const PRIVATE = 0o600

/**
 * Puts new bytes in the place of a client's file, whole or not at all, with the rights that it had. Refuses when somebody
 * else has written it since we looked: clients write their files, too.
 */
export function replaceFile(seen: ClientText, bytes: Buffer): void {
  const { path } = seen
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`)
  try {
    createFolder(dirname(path))
    const stats = statSync(path, { throwIfNoEntry: false })
    writeFileSync(draft, bytes, { mode: PRIVATE, flag: 'wx', flush: true })
    if (stats !== undefined) keepRights(draft, stats)
    checkUnchanged(seen)
    renameSync(draft, path)
  } catch (error) {
    throw explain(path, error)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Takes a file away that was not there before us. */
export function removeFile(seen: ClientText): void {
  checkUnchanged(seen)
  try {
    rmSync(seen.path)
  } catch (error) {
    throw explain(seen.path, error)
  }
}

/** Refuses when somebody else has written the file since we looked. */
export function checkUnchanged(seen: ClientText): void {
  if (!isAsSeen(seen)) throw new HintgateError('client_file_changed', { file: seen.path })
}

function isAsSeen({ path, bytes }: ClientText): boolean {
  try {
    const now = readRegularFile(path)
    return bytes?.equals(now) ?? false
  } catch {
    return bytes === undefined
  }
}

function keepRights(draft: string, { mode, uid, gid }: { mode: number; uid: number; gid: number }): void {
  chmodSync(draft, mode & 0o7777)
  try {
    chownSync(draft, uid, gid)
  } catch {
    // Only root may give a file away; for everybody else it is their own already.
  }
}

function explain(file: string, error: unknown): unknown {
  if (error instanceof HintgateError) return error
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new HintgateError('client_file_read_only', { file }, { cause: error })
  return new HintgateError('client_file_unreadable', { file, why: code ?? String(error) }, { cause: error })
}

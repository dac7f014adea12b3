import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { attempt } from '../base/attempt.ts'
import { createFolder } from '../base/create-folder.ts'
import { HintgateError } from '../base/errors.ts'
import { readRegularFile } from '../base/read-regular-file.ts'
import type { Client, ClientFile } from './clients.ts'
import { DocumentProblem, readValue } from './document.ts'

export interface ClientText {
  /** The file's real path, so that a symbolic link to the file stays a link when the file is replaced. */
  readonly path: string
  /** The file's content; undefined if the file does not exist. */
  readonly bytes: Buffer | undefined
  /** The content as text, without a byte order mark. */
  readonly text: string
}

const MARK = '\uFEFF'

/** Reads a client's file. A missing file is allowed, but an unreadable one is not. */
export function readClientText(client: Client, { path }: Pick<ClientFile, 'path'>): ClientText {
  const real = findReal(path)
  const bytes = readIfThere(real)
  const text = bytes?.toString('utf8').replace(MARK, '') ?? ''
  guard(real, () => readValue(client, text))
  return { path: real, bytes, text }
}

/** Encodes a new text, with the byte order mark of the old text if there is one. */
export function encode({ bytes }: ClientText, text: string): Buffer {
  return Buffer.from(bytes?.toString('utf8').startsWith(MARK) ? MARK + text : text)
}

/** Runs a read or an edit, and turns a `DocumentProblem` into an error that names the file. */
export function guard<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof DocumentProblem)) throw error
    throw new HintgateError('client_file_invalid', { file: `${file}:${error.line}`, why: error.message })
  }
}

function findReal(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unreadable(path, error)
    return path
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readRegularFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unreadable(path, error)
  }
}

/** Refuses a read-only file before anything else changes. */
export function checkWritable({ path, bytes }: ClientText): void {
  // The mode bits are checked, because trying is not enough: a rename can replace a read-only file, and root can write
  // any file.
  const stats = statSync(bytes === undefined ? dirname(path) : path, { throwIfNoEntry: false })
  if (stats !== undefined && (stats.mode & 0o222) === 0)
    throw new HintgateError('client_file_read_only', { file: path })
}

function unreadable(file: string, error: unknown): HintgateError {
  const why = (error as NodeJS.ErrnoException).code ?? String(error)
  return new HintgateError('client_file_unreadable', { file, why }, { cause: error })
}

const PRIVATE = 0o600

/**
 * Replaces a client's file atomically and keeps its permissions. Refuses if the file has changed since it was read,
 * because clients write their files too.
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

/** Removes a file that Hintgate created. */
export function removeFile(seen: ClientText): void {
  checkUnchanged(seen)
  try {
    rmSync(seen.path)
  } catch (error) {
    throw explain(seen.path, error)
  }
}

export function checkUnchanged(seen: ClientText): void {
  if (!isAsSeen(seen)) throw new HintgateError('client_file_changed', { file: seen.path })
}

function isAsSeen({ path, bytes }: ClientText): boolean {
  const now = attempt(() => readRegularFile(path))
  return now === undefined || bytes === undefined ? now === bytes : bytes.equals(now)
}

function keepRights(draft: string, { mode, uid, gid }: { mode: number; uid: number; gid: number }): void {
  chmodSync(draft, mode & 0o7777)
  // Only root can change the owner. For other users, the file already has the right owner.
  attempt(() => chownSync(draft, uid, gid))
}

function explain(file: string, error: unknown): unknown {
  if (error instanceof HintgateError) return error
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new HintgateError('client_file_read_only', { file }, { cause: error })
  return new HintgateError('client_file_unreadable', { file, why: code ?? String(error) }, { cause: error })
}

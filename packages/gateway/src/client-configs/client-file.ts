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
  /** Where it really is: a link stays a link. */
  readonly path: string
  /** Absent: there is no such file yet. */
  readonly bytes: Buffer | undefined
  /** Without a byte order mark. */
  readonly text: string
}

const MARK = '\uFEFF'

/** Reads a client's file and sees that it is one. Nothing there is no problem; something unreadable is. */
export function readClientText(client: Client, { path }: Pick<ClientFile, 'path'>): ClientText {
  const real = findReal(path)
  const bytes = readIfThere(real)
  const text = bytes?.toString('utf8').replace(MARK, '') ?? ''
  guard(real, () => readValue(client, text))
  return { path: real, bytes, text }
}

/** The bytes of a new text, with the mark that the old one had. */
export function encode({ bytes }: ClientText, text: string): Buffer {
  return Buffer.from(bytes?.toString('utf8').startsWith(MARK) ? MARK + text : text)
}

/** Runs what reads or edits a client's text; what is wrong with the text becomes an error that names the file. */
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

/** Refuses before anything is done what could not be written in the end. */
export function checkWritable({ path, bytes }: ClientText): void {
  // A rename would replace a file that nobody may write, and for root every file is writable: the bits say what is meant.
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

export function checkUnchanged(seen: ClientText): void {
  if (!isAsSeen(seen)) throw new HintgateError('client_file_changed', { file: seen.path })
}

function isAsSeen({ path, bytes }: ClientText): boolean {
  const now = attempt(() => readRegularFile(path))
  return now === undefined || bytes === undefined ? now === bytes : bytes.equals(now)
}

function keepRights(draft: string, { mode, uid, gid }: { mode: number; uid: number; gid: number }): void {
  chmodSync(draft, mode & 0o7777)
  // Only root may give a file away; for everybody else it is their own already.
  attempt(() => chownSync(draft, uid, gid))
}

function explain(file: string, error: unknown): unknown {
  if (error instanceof HintgateError) return error
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new HintgateError('client_file_read_only', { file }, { cause: error })
  return new HintgateError('client_file_unreadable', { file, why: code ?? String(error) }, { cause: error })
}

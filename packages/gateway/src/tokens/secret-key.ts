import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createFolder } from '../base/create-folder.ts'
import { HintgateError } from '../base/errors.ts'

const KEY_BYTES = 32

/**
 * Loads the key that hashes tokens and seals states. It is generated at the first start, because attackers would know a
 * default key. Replicas on one database need the same key, so they get it from the environment: as
 * `HINTGATE_SECRET_KEY` (base64 or hexadecimal), or from the file that `HINTGATE_SECRET_KEY_FILE` names.
 */
export function loadSecretKey(home: string, env: NodeJS.ProcessEnv = process.env): Buffer {
  const { HINTGATE_SECRET_KEY: given, HINTGATE_SECRET_KEY_FILE: named } = env
  if (given !== undefined) return checkKey(decodeKey(given), 'HINTGATE_SECRET_KEY')
  const file = named ?? join(home, 'secret.key')
  try {
    // The operator configured this file, so its permissions are the operator's choice.
    if (named !== undefined) return checkKey(readFileSync(file), file)
    return readKey(file) ?? createKey(home, file)
  } catch (error) {
    if (error instanceof HintgateError) throw error
    const why = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new HintgateError('secret_key_unreadable', { file, why }, { cause: error })
  }
}

function readKey(file: string): Buffer | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  // Windows has no such permission bits, but users' profile folders are private there.
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
    throw new HintgateError('secret_key_exposed', { file })
  return checkKey(readFileSync(file), file)
}

function checkKey(key: Buffer, file: string): Buffer {
  const why = findWeakness(key)
  if (why !== undefined) throw new HintgateError('secret_key_weak', { file, why })
  return key
}

function decodeKey(text: string): Buffer {
  return Buffer.from(text.trim(), /^[\da-f]{64,}$/i.test(text.trim()) ? 'hex' : 'base64')
}

/**
 * Creates a key. The key is written to a temporary file, which is then linked into place: of two concurrent starts,
 * only one succeeds, and no process ever reads a partial key.
 */
function createKey(home: string, file: string): Buffer {
  createFolder(home, 0o700)
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`
  try {
    writeDurably(draft, randomBytes(KEY_BYTES))
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  const key = readKey(file)
  if (key === undefined)
    throw new HintgateError('secret_key_unreadable', {
      file,
      why: 'the file vanished while it was being created',
    })
  return key
}

function writeDurably(file: string, bytes: Buffer): void {
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeSync(descriptor, bytes)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const KNOWN_WORDS = /change.?me|password|secret|default|example|hintgate|test.?key|01234567|abcdefgh/i

function findWeakness(key: Buffer): string | undefined {
  if (key.length < KEY_BYTES) return `it has ${key.length} bytes, but needs ${KEY_BYTES}`
  // 32 random bytes have about 30 different values. Fewer than 8 do not occur by chance.
  if (new Set(key).size < 8) return 'it repeats a few bytes'
  if (isCounting(key)) return 'it counts up or down'
  return KNOWN_WORDS.test(key.toString('latin1'))
    ? 'it is a publicly known value, such as one from an example'
    : undefined
}

function isCounting(key: Buffer): boolean {
  const steps = new Set(key.subarray(1).map((byte, index) => byte - (key[index] ?? 0)))
  return steps.size === 1
}

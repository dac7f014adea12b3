import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** Larger than any config; some clients keep a history in theirs. */
const MOST = 64 * 1024 * 1024
const STEP = 64 * 1024

/**
 * Reads a regular file. Reading a pipe or a device could block the whole process forever, so they are refused. The
 * `code` of the error says why in words.
 */
export function readRegularFile(path: string, mostBytes = MOST): Buffer {
  // Non-blocking, because opening a pipe would wait for its writer. Windows has no such pipes.
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(handle)
    if (stats.isDirectory()) throw refuse(path, 'EISDIR')
    if (!stats.isFile()) throw refuse(path, 'not a regular file')
    return readWhole(handle, path, { mostBytes, size: stats.size })
  } finally {
    closeSync(handle)
  }
}

interface Bounds {
  readonly mostBytes: number
  /** The reported size; system files report 0 but have content, and other files grow. */
  readonly size: number
}

function readWhole(handle: number, path: string, { mostBytes, size }: Bounds): Buffer {
  const parts: Buffer[] = []
  let length = 0
  for (let step = Math.min(size, mostBytes) + 1; ; step = STEP) {
    const part = Buffer.allocUnsafe(step)
    const read = readSync(handle, part)
    if (read === 0) return Buffer.concat(parts)
    length += read
    if (length > mostBytes) throw refuse(path, `longer than ${mostBytes} bytes`)
    parts.push(part.subarray(0, read))
  }
}

function refuse(path: string, code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path}: ${code}`), { code })
}

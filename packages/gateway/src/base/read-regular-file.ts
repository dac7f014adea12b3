import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** Maximum length of a config file in bytes. It is generous, because some clients keep a history in their config. */
const MOST = 64 * 1024 * 1024
const STEP = 64 * 1024

/**
 * Reads a regular file. Pipes and devices are refused, because reading one could block the whole process forever. The
 * error's `code` gives the reason in words.
 */
export function readRegularFile(path: string, mostBytes = MOST): Buffer {
  // Opened without blocking, because opening a pipe would otherwise wait for its writer. Windows has no such pipes.
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
  /**
   * The size that the file system reports. System files report 0 although they have content, and other files can grow.
   */
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

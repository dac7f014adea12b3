import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** No config is as long; some clients keep a history in theirs. */
const MOST = 64 * 1024 * 1024
const STEP = 64 * 1024

/**
 * A file with an end. A pipe may never say anything, a device may never stop, and whoever waits for either waits with
 * everything else of this process. The code of the error says in words what it is instead.
 */
export function readRegularFile(path: string, mostBytes = MOST): Buffer {
  // Without waiting for somebody at the other end. Windows has no such pipes.
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
  /** As it says; files of the system say 0 and hold something all the same, and others grow. */
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

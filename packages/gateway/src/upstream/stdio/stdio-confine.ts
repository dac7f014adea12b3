import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { TransportConfig } from '../../config/config.ts'

type StdioConfig = Extract<TransportConfig, { kind: 'stdio' }>
type Resources = NonNullable<StdioConfig['resources']>
type Sandbox = NonNullable<StdioConfig['sandbox']>

interface Program {
  readonly command: string
  readonly args: readonly string[]
}

/** Returns a program's path, or undefined if this machine does not have the program. */
type FindProgram = (name: string) => string | undefined

/**
 * Returns the command that starts a server within its resource limits and its sandbox. Fails if this machine lacks a
 * program that is needed for that.
 *
 * @example confine({ …, command: 'node', resources: { openFiles: 64 } }).args // ['--nofile=64', '--', 'node', …]
 */
export function confine(config: StdioConfig, find: FindProgram = findOnPath): Program {
  const { command, args, resources, sandbox } = config
  let program: Program = { command, args }
  if (sandbox !== undefined) {
    const bwrap = find('bwrap') ?? refuse('"sandbox" needs bubblewrap (bwrap)', 'sandbox')
    program = { command: bwrap, args: [...sandboxArguments(sandbox, command), '--', command, ...args] }
  }
  const limits = resources === undefined ? [] : limitArguments(resources)
  if (limits.length === 0) return program
  const prlimit = find('prlimit') ?? refuse('"resources" needs prlimit (util-linux)', 'resources')
  // prlimit is outermost, so the limits cover the sandbox too. It finds the command on the server's own PATH, as it
  // would be found without limits.
  return { command: prlimit, args: [...limits, '--', program.command, ...program.args] }
}

function refuse(what: string, key: string): never {
  throw new Error(
    `${what}, which is not on this machine; install it or remove "${key}" from the server's config`,
  )
}

/**
 * Returns prlimit's arguments. Memory is limited with RLIMIT_DATA rather than by address space, because runtimes
 * reserve far more addresses than they use.
 */
function limitArguments({ memoryBytes, cpuMs, openFiles, processes }: Resources): string[] {
  const limits = {
    data: memoryBytes,
    cpu: cpuMs === undefined ? undefined : Math.ceil(cpuMs / 1000),
    nofile: openFiles,
    nproc: processes,
  }
  return Object.entries(limits).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  )
}

/** Searches the gateway's own PATH, because a server must not be able to choose the program that confines it. */
function findOnPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder.startsWith('/'))
  return folders.map(folder => join(folder, name)).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * System folders that programs need in order to run at all. They contain no user's files. Folders that do not exist are
 * left out.
 */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/opt', '/nix/store']
const SETTINGS = [
  'alternatives',
  'ca-certificates',
  'group',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'nsswitch.conf',
  'passwd',
  'pki',
  'resolv.conf',
  'ssl',
].map(name => `/etc/${name}`)

/**
 * Returns bubblewrap's arguments for a server's sandbox, which docs/security/sandbox.md describes. Later arguments
 * override earlier ones, so what the config allows comes last.
 */
function sandboxArguments({ network, read, write, cwd }: Sandbox, command: string): string[] {
  const own = isAbsolute(command) ? [command, ...read] : read
  return [
    // Gives the server separate process ids, users, host names and IPC, and ends it when the gateway ends.
    // `--new-session` is not needed, because the server already has its own session.
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    '--die-with-parent',
    ...[...SYSTEM, ...SETTINGS].flatMap(path => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...['--setenv', 'HOME', '/tmp', '--setenv', 'TMPDIR', '/tmp'],
    ...own.flatMap(path => ['--ro-bind', path, path]),
    ...write.flatMap(path => ['--bind', path, path]),
    ...['--chdir', cwd],
  ]
}

/**
 * Variables that a server inherits from the gateway. It inherits no others, because those may contain the gateway's
 * secrets.
 */
const INHERITED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'TZ']
const INHERITED_ON_WINDOWS = [
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'SYSTEMROOT',
  'TEMP',
  'PATHEXT',
  'COMSPEC',
]

/**
 * Returns the environment of a server's process: a few of the gateway's variables, and those in the server's config.
 */
export function buildEnvironment(
  configured: Readonly<Record<string, string>>,
  ours: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const names = process.platform === 'win32' ? [...INHERITED, ...INHERITED_ON_WINDOWS] : INHERITED
  const inherited = names.flatMap(name => {
    const value = ours[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(inherited), ...configured }
}

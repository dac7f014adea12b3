import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TransportConfig } from '../../config/config.ts'
import { sandboxArguments } from './stdio-sandbox.ts'

type StdioConfig = Extract<TransportConfig, { kind: 'stdio' }>
type Resources = NonNullable<StdioConfig['resources']>

export interface Program {
  readonly command: string
  readonly args: readonly string[]
}

/** Where a program stands, if this machine has it. */
export type FindProgram = (name: string) => string | undefined

/**
 * The program to start so that the server runs within its limits and its sandbox. What was asked for and cannot be had
 * is no reason to do without: then the server does not start.
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
  // Outermost, so that the sandbox is limited as well. A name is looked up on the server's own PATH, as without.
  return { command: prlimit, args: [...limits, '--', program.command, ...program.args] }
}

function refuse(what: string, key: string): never {
  throw new Error(
    `${what}, which is not on this machine; install it or remove "${key}" from the server's config`,
  )
}

/** Memory means what the process has written to (RLIMIT_DATA): runtimes reserve far more addresses than they use. */
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

/** On our own PATH: what confines a server must not be of the server's choosing. */
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

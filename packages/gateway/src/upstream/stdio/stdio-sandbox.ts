import { isAbsolute } from 'node:path'
import type { TransportConfig } from '../../config/config.ts'

type Sandbox = NonNullable<Extract<TransportConfig, { kind: 'stdio' }>['sandbox']>

/** What programs need of a system to run at all, and nothing of its users. Where one is missing, it is left out. */
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
 * The arguments of bubblewrap for a server's sandbox; docs/security/sandbox.md describes it. Later ones are laid over
 * earlier ones, so what the config allows comes last.
 */
export function sandboxArguments({ network, read, write, cwd }: Sandbox, command: string): string[] {
  const own = isAbsolute(command) ? [command, ...read] : read
  return [
    // Own processes, users, hosts' names and IPC; nothing of it outlives the gateway. No new session: ours is one.
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

import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { buildEnvironment, confine } from './stdio-confine.ts'

const server = { kind: 'stdio', command: 'node', args: ['server.js'], env: {}, cwd: '/work' } as const
const sandbox = { network: false, read: ['/data/in'], write: ['/data/out'], cwd: '/tmp' }
const everywhere = (name: string): string => `/sbin/${name}`
const nowhere = (): undefined => undefined

describe('a server that is a program', () => {
  it('starts unchanged if no limits are configured', () => {
    expect(confine(server, nowhere)).toEqual({ command: 'node', args: ['server.js'] })
    expect(confine({ ...server, resources: {} }, nowhere).command).toBe('node')
  })

  it('starts under its limits', () => {
    const resources = { memoryBytes: 1000, cpuMs: 1500, openFiles: 20, processes: 3 }
    expect(confine({ ...server, resources }, everywhere)).toEqual({
      command: '/sbin/prlimit',
      args: ['--data=1000', '--cpu=2', '--nofile=20', '--nproc=3', '--', 'node', 'server.js'],
    })
  })

  it('starts in its sandbox, with its own paths over the read-only system', () => {
    const { command, args } = confine({ ...server, sandbox }, everywhere)
    const text = args.join(' ')
    expect(command).toBe('/sbin/bwrap')
    expect(text).toMatch(/^--unshare-all --die-with-parent /)
    expect(text).toMatch(
      / --tmpfs \/tmp .*--ro-bind \/data\/in \/data\/in --bind \/data\/out \/data\/out --chdir \/tmp -- node server\.js$/,
    )
    expect(text).not.toContain('--share-net')
    expect(
      args.filter(
        (argument, at) => args[at - 1] === '--ro-bind-try' && /^\/(?:home|root|etc)?$/.test(argument),
      ),
    ).toEqual([])
  })

  it('gets the network only if configured, and its own program only if that has a path', () => {
    const open = { ...sandbox, network: true }
    const { args } = confine({ ...server, command: '/srv/tool', sandbox: open }, everywhere)
    expect(args.join(' ')).toContain('--unshare-all --share-net')
    expect(args.join(' ')).toContain('--ro-bind /srv/tool /srv/tool')
  })

  it('has limits that also apply to its sandbox', () => {
    const { command, args } = confine({ ...server, sandbox, resources: { openFiles: 5 } }, everywhere)
    expect([command, ...args.slice(0, 3)]).toEqual(['/sbin/prlimit', '--nofile=5', '--', '/sbin/bwrap'])
  })

  it('does not start if the machine lacks the confining program', () => {
    expect(() => confine({ ...server, sandbox }, nowhere)).toThrow(/bubblewrap/)
    expect(() => confine({ ...server, resources: { cpuMs: 1 } }, nowhere)).toThrow(/prlimit/)
  })

  it.runIf(process.platform === 'linux')('is held to its limits by the system', () => {
    const shell = { ...server, command: '/bin/sh', args: ['-c', 'ulimit -n; ulimit -t; ulimit -d'] }
    const { command, args } = confine({
      ...shell,
      resources: { memoryBytes: 512 * 1024 * 1024, cpuMs: 9000, openFiles: 33 },
    })
    expect(execFileSync(command, args, { encoding: 'utf8' }).split('\n').slice(0, 3)).toEqual([
      '33',
      '9',
      String(512 * 1024),
    ])
  })
})

describe('the environment of a server', () => {
  it('has the variables of its config and a few of the gateway, but none of its secrets', () => {
    const ours = {
      PATH: '/bin',
      HINTGATE_SECRET_KEY: 'k',
      NODE_OPTIONS: '--x',
      LD_PRELOAD: 'y',
      AWS_SECRET: 'z',
    }
    expect(buildEnvironment({ OWN: '1' }, ours)).toEqual({ PATH: '/bin', OWN: '1' })
  })
})

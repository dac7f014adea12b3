import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder, onlyProblem, serverOf } from './test-support/config-folder.ts'

const inCrm = (fields: object): string => onlyProblem({ mcpServers: { crm: { command: 'x', ...fields } } })

describe('a variable that loads code into a server', () => {
  it.each([
    'LD_AUDIT',
    'ld_preload',
    'DYLD_LIBRARY_PATH',
    'npm_config_node_options',
    'BASH_ENV',
    'PERL5OPT',
    'JAVA_TOOL_OPTIONS',
  ])('is refused, with allowUnsafeEnv in the fix: %s', name => {
    const problem = inCrm({ env: { [name]: 'y' } })
    expect(problem).toContain(`env.${name}: ${name} would load code into the server`)
    expect(problem).toContain('"allowUnsafeEnv": true')
  })

  it('is accepted only with allowUnsafeEnv: true', () => {
    const env = { NODE_OPTIONS: '--max-old-space-size=100' }
    expect(serverOf({ command: 'x', env, allowUnsafeEnv: true }).transport).toMatchObject({ env })
    expect(inCrm({ env, allowUnsafeEnv: false })).toContain('would load code')
    expect(inCrm({ env, allowUnsafeEnv: 'yes' })).toContain('allowUnsafeEnv')
  })

  it.each(['NODE_ENV', 'LDFLAGS', 'OLD_PRELOAD', 'PYTHONPATH', 'API_KEY'])('does not include %s', name => {
    expect(inCrm({ env: { [name]: 'y' } })).toBe('none')
  })
})

describe('the limits and the sandbox of a server', () => {
  it('are read with units and paths relative to the config file', () => {
    const { transport } = serverOf({
      command: 'x',
      resources: { memory: '256mb', cpu: '10m', openFiles: 100, processes: 20 },
      sandbox: { read: ['in'], write: ['~/out'] },
    })
    expect(transport).toMatchObject({
      resources: { memoryBytes: 256 * 1024 * 1024, cpuMs: 600_000, openFiles: 100, processes: 20 },
      sandbox: { network: false, read: [join(folder, 'in')], write: [join(folder, 'me/out')], cwd: '/tmp' },
    })
  })

  it('expose the configured working folder', () => {
    const { transport } = serverOf({ command: 'x', cwd: 'w', sandbox: { network: true } })
    const work = join(folder, 'w')
    expect(transport).toMatchObject({ cwd: work, sandbox: { network: true, read: [work], cwd: work } })
  })

  it('are refused for an HTTP server', () => {
    const url = 'https://a.example/mcp'
    expect(onlyProblem({ mcpServers: { crm: { url, sandbox: { network: true } } } })).toContain(
      'has no effect',
    )
    expect(onlyProblem({ mcpServers: { crm: { url, resources: { openFiles: 3 } } } })).toContain(
      'has no effect',
    )
  })
})

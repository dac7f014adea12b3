import { describe, expect, it } from 'vitest'
import { assessItems } from '../catalog/review/review-item.ts'
import { itemsOf, stored, type Versioned } from '../catalog/review/test-support/stored.ts'
import type { Config, ServerConfig } from '../config/config.ts'
import type { StoredDefinition } from '../store/store.ts'
import type { TokenDescription } from '../tokens/describe-token.ts'
import { checkPrograms, checkTokens } from './check-config.ts'
import { checkContradictions, checkReview } from './examine.ts'
import { checkServers, checkToolless, type Probe } from './probe-server.ts'

const DAY = 24 * 60 * 60 * 1000
const READ = { name: 'read', description: 'Reads one note.' }

describe('definitions that wait for review', () => {
  it('are counted per server as new and changed, without the rejected ones', () => {
    const items = itemsOf(
      stored([[READ]]),
      stored([[{ name: 'write' }, 'approved'], [{ name: 'write', description: 'Other words.' }]]),
      stored([[{ name: 'bad' }, 'rejected']]),
      stored([[READ, 'approved']], { server: 'crm' }),
    )
    const found = checkReview(items, new Set(['notes', 'crm']))
    expect(found.map(({ server, text }) => [server, text])).toEqual([
      ['notes', expect.stringContaining("2 of this server's definitions (1 new, 1 changed)")],
    ])
  })
})

describe('a server without tools', () => {
  const prompt = (...verdict: ['approved'?]) => stored([[READ, ...verdict] as Versioned], { kind: 'prompt' })
  const find = (known: readonly StoredDefinition[], { trust = 'reviewed', tools = 0 } = {}) => {
    const servers = [{ name: 'notes', enabled: true, trust }] as unknown as Config['servers']
    const config = { quarantine: true, servers } as Config
    const probe: Probe = { server: 'notes', tools, definitions: [], stderr: [] }
    return checkToolless({ config, known, items: itemsOf(...known) }, [probe])[0]
  }

  it('is reported with a fix', () => {
    expect(find([])).toMatchObject({
      code: 'server_unheard',
      text: expect.stringContaining('lists no tools'),
      fix: expect.stringMatching(/prompts.*"trust": "trusted"/),
    })
    expect(find([prompt()])?.server).toBe('notes')
  })

  it('is not reported if it has tools or an approved definition, or is trusted', () => {
    expect(find([], { tools: 1 })).toBe(undefined)
    expect(find([stored([[READ]])])).toBe(undefined)
    expect(find([prompt('approved')])).toBe(undefined)
    expect(find([], { trust: 'trusted' })).toBe(undefined)
  })
})

describe('a contradiction', () => {
  const LIE = { name: 'delete_note', annotations: { readOnlyHint: true } }
  const levelOf = (...versions: Parameters<typeof stored>[0]) => {
    const surroundings = { profile: 'gateway', overrideOf: () => undefined } as const
    return checkContradictions(assessItems(itemsOf(stored(versions)), surroundings))[0]?.level
  }

  it('is a warning until a person, not a rule, approved that version', () => {
    expect(levelOf([LIE])).toBe('warning')
    expect(levelOf([LIE, 'approved', 'rule: first set of a trusted server'])).toBe('warning')
    expect(levelOf([LIE, 'approved', 'ada'])).toBe('info')
  })
})

describe('a token', () => {
  const token = (more: Partial<TokenDescription>): TokenDescription => ({
    name: 'bot',
    kind: 'agent',
    status: 'active',
    permissions: [],
    servers: ['*'],
    scope: 'token',
    ...more,
  })
  const codesOf = (more: Partial<TokenDescription>) => checkTokens([token(more)], 0).map(({ code }) => code)
  const after = (days: number): string => new Date(days * DAY).toISOString()

  it('is reported if it expires within a week or has expired, unless it is revoked', () => {
    expect(codesOf({})).toEqual([])
    expect(codesOf({ expires: after(8) })).toEqual([])
    expect(codesOf({ expires: after(6) })).toEqual(['token_expires_soon'])
    expect(codesOf({ expires: after(-1), status: 'expired' })).toEqual(['token_expired'])
    expect(codesOf({ expires: after(6), status: 'revoked' })).toEqual([])
    expect(codesOf({ status: 'without token' })).toEqual(['token_missing'])
  })

  it('should be replaced by a new one with the same scope, because rotation keeps the expiry time', () => {
    const fixOf = (more: Partial<TokenDescription>) =>
      checkTokens([token({ expires: after(6), ...more })], 0)[0]?.fix
    expect(fixOf({ permissions: ['call_tool_read'], tools: ['crm:*'] })).toContain(
      "hintgate tokens revoke bot && hintgate tokens create bot --permissions call_tool_read --servers '*' --tools 'crm:*' --expires 30d",
    )
    expect(fixOf({ kind: 'person', role: 'viewer' })).toContain('create bot --role viewer --expires 30d')
    expect(fixOf({ scope: 'config' })).toContain('agent_tokens')
  })
})

describe('a program', () => {
  const server = (command: string, more: Partial<ServerConfig> = {}) =>
    ({
      name: 's',
      enabled: true,
      transport: { kind: 'stdio', command, args: [], env: {}, cwd: process.cwd() },
      ...more,
    }) as ServerConfig
  const codesOf = (one: ServerConfig, path = '') => checkPrograms([one], path).map(({ code }) => code)

  it('is found by its path or in PATH, and only for enabled servers', () => {
    expect(codesOf(server(process.execPath))).toEqual([])
    expect(codesOf(server('no-such-program'), process.env.PATH)).toEqual(['program_missing'])
    expect(codesOf(server('node'), process.execPath.replace(/\/[^/]+$/, ''))).toEqual([])
    expect(codesOf(server('node'))).toEqual(['program_missing'])
    expect(codesOf(server('no-such-program', { enabled: false }))).toEqual([])
  })

  it('is reported with secrets from references masked', () => {
    const { transport } = server('/srv/hunter2-from-env/x')
    const one = server('', { transport: { ...transport, confided: ['hunter2-from-env'] } })
    expect(checkPrograms([one], '')[0]?.text).toContain('"/srv/[masked]/x"')
  })
})

describe('a server that was started', () => {
  const stderr = ['1', '2', '3', '4', '5', '6']
  const failed: Probe = { server: 's', tools: 0, definitions: [], failure: 'it exited', stderr }
  const at = (oauth?: object): ServerConfig =>
    ({ name: 's', transport: { kind: 'http', url: 'https://s.example', headers: {}, oauth } }) as never
  const find = (probe: Probe, server = at()) => checkServers([probe], [server])[0]

  it('is reported with its last lines of stderr if it failed', () => {
    expect(find({ server: 's', tools: 3, definitions: [], stderr })).toBe(undefined)
    expect(find(failed)?.text).toBe('s: it exited\n  | 2\n  | 3\n  | 4\n  | 5\n  | 6')
    expect(find(failed)).toMatchObject({
      code: 'server_unreachable',
      fix: expect.stringContaining('hintgate servers test s'),
    })
  })

  it('suggests a sign-in, a correct secret or a header if it rejected the credentials', () => {
    const refused = { ...failed, isRefused: true }
    expect(find(refused, at({ grant: 'authorization_code' }))).toMatchObject({
      code: 'server_unauthorized',
      fix: expect.stringContaining('hintgate servers login s'),
    })
    expect(find(refused, at({ grant: 'client_credentials' }))?.fix).toContain('"clientSecret"')
    expect(find(refused)?.fix).toMatch(/^add "headers": \{ "Authorization": "Bearer \$\{env:S_TOKEN\}" \}/)
  })
})

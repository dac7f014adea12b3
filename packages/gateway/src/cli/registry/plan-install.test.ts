// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what some of these tests are about
import { describe, expect, it } from 'vitest'
import { readEntry } from './entry.ts'
import { chooseWay, type Plan, planInstall } from './plan-install.ts'
import { describePlan } from './show-entry.ts'

const NPM = { registryType: 'npm', identifier: '@acme/docs', version: '1.4.0', transport: { type: 'stdio' } }

function waysOf(parts: object, given: Record<string, string[]> = {}) {
  const entry = readEntry({ name: 'io.github.acme/docs', version: '1.4.0', ...parts })
  if (entry === undefined) throw new Error('not a valid entry')
  return planInstall(entry, new Map(Object.entries(given)))
}

function planOf(pack: object, given: Record<string, string[]> = {}): Plan {
  const [way] = waysOf({ packages: [{ ...NPM, ...pack }] }, given)
  if (way?.plan === undefined) throw new Error(way?.refusal)
  return way.plan
}

const refusalOf = (pack: object) => waysOf({ packages: [{ ...NPM, ...pack }] })[0]?.refusal

describe('a package', () => {
  it.each([
    [{}, 'runs npx -y @acme/docs@1.4.0'],
    [{ registryType: 'pypi', identifier: 'acme-docs' }, 'runs uvx acme-docs@1.4.0'],
    [{ registryType: 'nuget', identifier: 'Acme.Docs' }, 'runs dnx Acme.Docs@1.4.0 --yes --'],
    [{ registryType: 'oci', identifier: 'acme/docs' }, 'runs docker run -i --rm acme/docs:1.4.0'],
    [
      { registryType: 'oci', identifier: 'host.example/acme/docs:2', version: undefined },
      'runs docker run -i --rm host.example/acme/docs:2',
    ],
  ])('%j starts with the program for its type', (pack, runs) => {
    expect(describePlan(planOf(pack))).toBe(runs)
  })

  it('gets its fixed arguments, then those of the user', () => {
    const packageArguments = [
      { type: 'positional', value: 'serve' },
      { type: 'named', name: '--mode', default: 'local', choices: ['local', 'proxy'] },
      { type: 'named', name: '--verbose' },
      { type: 'positional', valueHint: 'folder', isRequired: true, isRepeated: true },
    ]
    const given = { folder: ['/srv/a b', '/srv/c'], mode: ['proxy'] }
    expect(describePlan(planOf({ packageArguments }, given))).toBe(
      "runs npx -y @acme/docs@1.4.0 serve --mode proxy '/srv/a b' /srv/c",
    )
  })

  it('names what it misses, what has no use, and what is not a choice', () => {
    const environmentVariables = [
      { name: 'DOCS_KEY', isRequired: true, isSecret: true, description: 'the key' },
      { name: 'MODE', choices: ['a', 'b'] },
    ]
    const plan = planOf({ environmentVariables }, { MODE: ['c'], OTHER: ['1'] })
    expect(plan.missing).toEqual([{ name: 'DOCS_KEY', description: 'the key', isSecret: true }])
    expect(plan.unused).toEqual(['OTHER'])
    expect(plan.problems).toEqual(['MODE: use one of a, b'])
  })

  it('fills variables into a value', () => {
    const packageArguments = [
      {
        type: 'named',
        name: '--db',
        value: '{kind}://{host}',
        variables: { kind: { default: 'pg' }, host: {} },
      },
    ]
    const plan = planOf({ packageArguments }, { host: ['db.example'] })
    expect(describePlan(plan)).toBe('runs npx -y @acme/docs@1.4.0 --db pg://db.example')
  })

  it.each([
    ['identifier', { identifier: '--call=sh' }],
    ['identifier', { identifier: 'docs; rm -rf /' }],
    ['identifier', { identifier: 'git+ssh://x.example/y' }],
    ['identifier', { identifier: '../local' }],
    ['version', { version: 'latest' }],
    ['version', { version: '^1.0.0' }],
    ['version', { version: 'next' }],
    ['version', { version: '1' }],
    ['version', { version: '1.x' }],
    ['image tag', { registryType: 'oci', identifier: 'acme/docs', version: undefined }],
    ['image tag', { registryType: 'oci', identifier: 'acme/docs:latest', version: undefined }],
    ['variable', { environmentVariables: [{ name: 'npm_config_registry', value: 'https://evil.example' }] }],
    ['variable', { environmentVariables: [{ name: 'UV_INDEX_URL' }] }],
    ['variable', { environmentVariables: [{ name: 'DOCKER_HOST', isRequired: true }] }],
    ['variable', { environmentVariables: [{ name: 'HTTPS_PROXY' }] }],
    ['variable', { environmentVariables: [{ name: 'PATH' }] }],
    ['version', { version: undefined }],
    ['version', { version: '1.0.0 --registry=http://x' }],
    ['runtime option', { runtimeArguments: [{ type: 'named', name: '-c', value: 'sh' }] }],
    ['runtime option', { runtimeArguments: [{ type: 'positional', value: '--package=other' }] }],
    [
      'container option',
      {
        registryType: 'oci',
        identifier: 'acme/docs',
        runtimeArguments: [{ type: 'named', name: '--privileged' }],
      },
    ],
    ['type', { registryType: 'mcpb' }],
    ['type', { registryType: '__proto__' }],
    ['transport', { transport: { type: 'streamable-http', url: 'http://localhost:1/mcp' } }],
  ])('with a dangerous or unsupported %s is not started: %j', (_, pack) => {
    expect(refusalOf(pack)).toMatch(/\w+/)
  })

  it('shows the values that its author fixed, and the whole command', () => {
    const environmentVariables = [{ name: 'MODE', value: 'fast' }]
    const packageArguments = [{ type: 'positional', value: `${'x'.repeat(500)}end` }]
    const shown = describePlan(planOf({ environmentVariables, packageArguments }))
    expect(shown).toContain('MODE=fast')
    expect(shown).toContain('end')
  })

  it('never takes its program from a hint of its author', () => {
    expect(describePlan(planOf({ runtimeHint: 'bash' }))).toBe('runs npx -y @acme/docs@1.4.0')
  })

  it.each([
    ['a default', { environmentVariables: [{ name: 'A', default: 'x${env:AWS_SECRET_ACCESS_KEY}' }] }],
    ['a value', { packageArguments: [{ type: 'positional', value: '${file:~/.ssh/id_rsa}' }] }],
    [
      'the parts of a value',
      {
        packageArguments: [
          {
            type: 'positional',
            value: '${rest}',
            variables: { rest: { value: '{env:HOME}' } },
          },
        ],
      },
    ],
  ])('cannot refer to this machine through %s', (_, pack) => {
    expect(planOf(pack).problems).toHaveLength(1)
  })
})

describe('a server at a URL', () => {
  const remotes = [
    { type: 'sse', url: 'https://docs.example/sse' },
    {
      type: 'streamable-http',
      url: 'https://{region}.docs.example/mcp',
      variables: { region: { default: 'eu' } },
      headers: [{ name: 'X-Key', isRequired: true, isSecret: true }],
    },
  ]

  it('is preferred to a package, because it runs nothing here', () => {
    expect(chooseWay(waysOf({ remotes, packages: [NPM] }), undefined)?.kind).toBe('http')
    expect(chooseWay(waysOf({ remotes, packages: [NPM] }), 'npm')?.kind).toBe('npm')
    expect(chooseWay(waysOf({ remotes, packages: [NPM] }), 'oci')).toBeUndefined()
  })

  it('gets headers, whose secrets are not shown', () => {
    const plan = waysOf({ remotes }, { 'X-Key': ['s3cret'] })[0]?.plan
    expect(plan && describePlan(plan)).toBe(
      "connects to https://eu.docs.example/mcp with the headers X-Key='…'",
    )
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { holdingsOf, Library } from '../support/library.ts'
import { PATIENTLY } from '../support/patience.ts'
import { type Json, ModernClient } from '../support/raw-mcp.ts'
import { connect, ERAS, EVERYTHING } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

// Policies, risk factors, provenance, review and the audit log at the endpoints with many servers.

let witness: Witness
let gateway: Gateway
let site: Site

const POLICY = `
rules:
  - { id: no-secrets, effect: deny, resources: 'book:///secret/*', reason: Secret books stay here. }
  - { id: ask-rare, effect: confirm, resources: 'book:///rare', reason: Rare books need approval. }
  - { id: no-drafts, effect: deny, prompts: 'shelf:draft', reason: Drafts are not ready. }
  - { id: not-at-desk, effect: deny, sets: desk, resources: 'book:///one', reason: Not at the desk. }
  - { id: closed, effect: deny, servers: closed, reason: The archive is closed. }
`
const CASES = `
policies: library.yaml
cases:
  - { name: secret, resource: 'shelf:book:///secret/plan', expect: deny, rule: no-secrets }
  - { name: other spelling, resource: 'shelf:book:///a/../secret/plan', expect: deny }
  - { name: rare, resource: 'shelf:book:///rare', expect: confirm }
  - { name: draft, prompt: 'shelf:draft', expect: deny, rule: no-drafts }
  - { name: free, resource: 'shelf:book:///one', expect: allow }
  - { name: tool, tool: 'shelf:find', expect: allow }
`

const holdings = holdingsOf('shelf')
const SHELF = {
  ...holdings,
  prompts: [...(holdings.prompts ?? []), { name: 'draft' }],
  contents: {
    ...holdings.contents,
    'book:///secret/plan': { text: 'the plan' },
    'book:///rare': { text: 'rare' },
  },
}

beforeAll(async () => {
  witness = await openWitness()
  const mcpServers = {
    shelf: new Library('shelf', witness, SHELF).config,
    closed: new Library('closed', witness, holdingsOf('closed')).config,
    fresh: new Library('fresh', witness, holdingsOf('fresh'), { more: { trust: 'reviewed' } }).config,
  }
  site = new Site({
    quarantine: true,
    policies: ['library.yaml'],
    confirm: { trifecta: 'always' },
    mcpServers,
    toolsets: { desk: { select: ['shelf:*'], resources: ['shelf'] } },
  })
  writeFileSync(join(site.folder, 'library.yaml'), POLICY)
  writeFileSync(join(site.folder, 'cases.yaml'), CASES)
  gateway = await startGatewayAt(site)
  await Promise.all(Object.keys(mcpServers).map(name => gateway.says(new RegExp(`\\b${name} is ready`))))
})
afterAll(cleanUp)

const uriAt = (server: string, uri: string): Json => ({ uri: `hintgate://${server}/${uri}` })
const seenBy = (server: string, text: string) =>
  witness.of(server).filter(({ raw, method }) => method !== 'resources/list' && raw?.includes(text)).length

describe.each(ERAS)('a policy, for a %s client', era => {
  const argument = { name: 'title', value: '' }

  it.each(['/mcp', '/mcp/direct', '/mcp/servers/shelf'])('is enforced by every method at %s', async path => {
    const isOwn = path.includes('servers')
    const client = await connect(`${gateway.url}${path}`, await site.token({ permissions: EVERYTHING }), era)
    const secret = isOwn ? 'book:///secret/plan' : 'hintgate://shelf/book:///secret/plan'
    const draft = isOwn ? 'draft' : 'shelf__draft'
    const requests: readonly (readonly [string, Json])[] = [
      ['resources/read', { uri: secret }],
      ['resources/read', { uri: secret.replace('secret', 'a/../%73ecret') }],
      ['prompts/get', { name: draft }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: draft }, argument }],
      ['completion/complete', { ref: { type: 'ref/resource', uri: secret }, argument }],
      era === 'legacy'
        ? ['resources/subscribe', { uri: secret }]
        : ['subscriptions/listen', { notifications: { resourceSubscriptions: [secret] } }],
    ]
    for (const [method, params] of requests)
      expect(await client.request(method, params), method).toMatchObject({
        error: { data: { code: 'policy_denied' }, message: expect.stringMatching(/stay here|not ready/) },
      })
    expect(seenBy('shelf', 'secret')).toBe(0)
    expect(seenBy('shelf', 'draft')).toBe(0)
    const allowed = secret.replace('secret/plan', 'one')
    expect((await client.request('resources/read', { uri: allowed })).result?.contents).toHaveLength(1)
  })
})

it('applies a rule about a toolset to its resources, and records the set', async () => {
  const client = new ModernClient(
    `${gateway.url}/mcp/sets/desk`,
    await site.token({ permissions: EVERYTHING }),
  )
  const { uri } = uriAt('shelf', 'book:///one')
  for (const [method, params] of [
    ['resources/read', { uri }],
    ['subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } }],
    ['completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name: 'a', value: '' } }],
  ] as const)
    expect(await client.request(method, params), method).toMatchObject({
      error: { message: expect.stringContaining('Not at the desk') },
    })
  const { stdout } = await hintgate(['audit', 'query', '--json', ...site.flags])
  const { calls } = JSON.parse(stdout) as { calls: Json[] }
  expect(
    calls
      .filter(({ set }) => set === 'desk')
      .map(({ tool }) => tool)
      .sort(),
  ).toEqual(['completion/complete', 'resources/read', 'subscriptions/listen'])
  const direct = new ModernClient(`${gateway.url}/mcp/direct`, await site.token())
  expect((await direct.request('resources/read', { uri })).error).toBeUndefined()
})

it('refuses what would need approval, and says what to do', async () => {
  const client = new ModernClient(gateway.endpoint(), await site.token())
  expect(await client.request('resources/read', uriAt('shelf', 'book:///rare'))).toMatchObject({
    error: {
      data: { code: 'policy_denied' },
      message: expect.stringMatching(/only calls to tools can wait/),
    },
  })
})

it('applies a rule about a whole server to its resources and prompts', async () => {
  const client = new ModernClient(gateway.endpoint(), await site.token())
  for (const [method, params] of [
    ['resources/read', uriAt('closed', 'book:///one')],
    ['prompts/get', { name: 'closed__summarise' }],
  ] as const)
    expect(await client.request(method, params)).toMatchObject({ error: { data: { code: 'policy_denied' } } })
})

it('shows nothing of a server that waits for review, and does not know its prompts and resources', async () => {
  const client = new ModernClient(gateway.endpoint(), await site.token())
  for (const method of ['resources/list', 'resources/templates/list', 'prompts/list'])
    expect(JSON.stringify((await client.request(method)).result)).not.toContain('fresh')
  expect((await client.request('resources/read', uriAt('fresh', 'book:///one'))).error).toBeDefined()
  expect((await client.request('prompts/get', { name: 'fresh__summarise' })).error).toBeDefined()
  expect(seenBy('fresh', 'book:///one')).toBe(0)
})

it('is recorded with the rule, and explained, tested and replayed', async () => {
  const { name, token } = await site.namedToken()
  const client = new ModernClient(gateway.endpoint(), token)
  await client.request('resources/read', uriAt('shelf', 'book:///secret/plan'))
  await client.request('resources/read', uriAt('shelf', 'book:///one'))
  const query = async () => {
    const { stdout } = await hintgate(['audit', 'query', '--agent', name, '--json', ...site.flags])
    return (JSON.parse(stdout) as { calls: Json[] }).calls
  }
  await expect.poll(query, PATIENTLY).toMatchObject([
    { outcome: 'answered', verdict: 'allow' },
    {
      outcome: 'refused',
      verdict: 'deny',
      code: 'policy_denied',
      reasons: [{ rule: 'policy.no-secrets', text: 'Secret books stay here.' }],
    },
  ])
  const explained = await hintgate([
    ...['policy', 'explain', 'shelf:book:///secret/plan', '--kind', 'resource', '--json', ...site.flags],
  ])
  expect(JSON.parse(explained.stdout)).toMatchObject({
    verdict: 'deny',
    reasons: [{ rule: 'policy.no-secrets' }],
  })
  const tested = await hintgate(['policy', 'test', join(site.folder, 'cases.yaml')])
  expect(tested, tested.stdout).toMatchObject({ code: 0 })
  const file = join(site.folder, 'new.yaml')
  writeFileSync(file, `rules: [{ id: no-one, effect: deny, resources: 'book:///one', reason: No. }]`)
  const replayed = await hintgate(['policy', 'replay', file, '--json', ...site.flags])
  expect(JSON.parse(replayed.stdout).changes).toContainEqual(
    expect.objectContaining({ agent: `agent:${name}`, before: 'allow', after: 'deny', rules: ['no-one'] }),
  )
})

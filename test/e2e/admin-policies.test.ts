import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AdminClient } from '../../packages/gateway/src/admin/client.ts'
import { adminWith, codeOf } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, Site, startGatewayAt } from '../support/gateway.ts'
import { ModernClient, textOf } from '../support/raw-mcp.ts'
import { ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { EVERYTHING, refusal } from '../support/search-client.ts'
import { openWitness } from '../support/witness.ts'

afterAll(cleanUp)

const FIRST = `rules:
  - id: not-today
    effect: deny
    tools: things:write
    when: args.id == "forbidden"
    reason: Not today.
`
const STRICTER = FIRST.replace('"forbidden"', '"alpha"')

let site: Site
let gateway: Gateway
let admin: AdminClient
let viewer: AdminClient
let operator: AdminClient
let agent: ModernClient
let name: string

const path = 'rules/main.yaml'
const file = (): string => readFileSync(join(site.folder, path), 'utf8')
const write = (id: string) => agent.call('things__write', { id })

beforeAll(async () => {
  const witness = await openWitness()
  const server = new ScriptedServer('things', witness, [scripted('write', { annotations: WRITES })])
  site = new Site({
    mcpServers: { things: server.config },
    policies: ['rules/*.yaml'],
    guardrails: [{ rule: 'content_length', field: 'id', max: 500 }],
  })
  mkdirSync(join(site.folder, 'rules'))
  writeFileSync(join(site.folder, path), FIRST)
  gateway = await startGatewayAt(site)
  await gateway.says(/things is ready/)
  admin = await adminWith(gateway, 'admin')
  viewer = await adminWith(gateway, 'viewer')
  operator = await adminWith(gateway, 'operator')
  const made = await site.namedToken({ permissions: EVERYTHING })
  name = made.name
  agent = new ModernClient(gateway.endpoint(), made.token)
  for (const id of ['alpha', 'beta', 'forbidden']) await write(id)
})

describe('policies over the admin API', () => {
  it('are shown as files and as rules, with the guardrails', async () => {
    const { files, rules, default: fallback, guardrails, bundled } = await viewer.getPolicies()
    expect(files).toMatchObject([{ path, text: FIRST, problems: [] }])
    expect(rules).toMatchObject([
      {
        id: 'not-today',
        effect: 'deny',
        cel: 'args.id == "forbidden"',
        file: path,
        line: 2,
        reason: 'Not today.',
      },
    ])
    expect(rules[0]?.prose).toBe('Refuse all calls to things:write when args.id == "forbidden".')
    expect(fallback).toBe('allow')
    expect(guardrails).toEqual([
      { rule: 'content_length', layer: 'global', settings: { field: 'id', max: 500 } },
    ])
    expect(bundled[0]?.text).toContain('rules:')
  })

  it('are checked before they are saved', async () => {
    const check = async (text: string) => (await viewer.checkPolicy({ body: { path, text } })).problems
    expect(await check(FIRST)).toEqual([])
    expect(await check(FIRST.replace('args.id', 'arg.id'))).toMatchObject([{ file: path, line: 5 }])
    expect(await check('rules: [')).not.toEqual([])
  })

  it('are checked again with any idempotency key, and nothing is stored', async () => {
    const check = (text: string) => viewer.checkPolicy({ body: { path, text }, idempotencyKey: 'one' })
    expect(await check(FIRST)).toMatchObject({ problems: [] })
    expect((await check('rules: 1')).problems).not.toEqual([])
  })

  it('are tried on a hypothetical call', async () => {
    const attempt = (id: string, files?: { path: string; text: string }[]) =>
      viewer.tryPolicy({
        body: {
          call: { agent: name, server: 'things', tool: 'write', args: { id } },
          ...(files && { files }),
        },
      })
    expect(await attempt('forbidden')).toMatchObject({
      verdict: 'deny',
      code: 'policy_denied',
      reasons: [{ rule: 'policy.not-today' }],
    })
    const allowed = await attempt('alpha')
    expect(allowed.verdict).toBe('allow')
    expect(allowed.path.map(({ step, result }) => `${step} ${result}`)).toContain('policy pass')
    expect(await attempt('alpha', [{ path, text: STRICTER }])).toMatchObject({ verdict: 'deny' })
    expect(await codeOf(attempt('alpha', [{ path, text: 'rules: 1' }]))).toBe('refused')
    const unknown = { agent: name, server: 'things', tool: 'nope' }
    expect(await viewer.tryPolicy({ body: { call: unknown } })).toMatchObject({
      refusal: { code: 'unknown_tool' },
    })
    expect(await codeOf(viewer.tryPolicy({ body: { call: { ...unknown, agent: 'nobody' } } }))).toBe(
      'not_found',
    )
  })

  it('are tried on arguments up to the length of a draft', async () => {
    const tried = (length: number) =>
      viewer.tryPolicy({
        body: { call: { agent: name, server: 'things', tool: 'write', args: { id: 'x'.repeat(length) } } },
      })
    expect(await tried(99_000)).toMatchObject({ verdict: 'deny' })
    expect(await codeOf(tried(100_000))).toBe('too_large')
  })

  it('are replayed on recorded calls', async () => {
    const replay = (client: AdminClient) =>
      client.replayPolicies({ body: { files: [{ path, text: STRICTER }] } })
    expect(await codeOf(replay(viewer))).toBe('role_needed')
    const found = await replay(operator)
    expect(found).toMatchObject({ looked: 3, skipped: 0, changedCount: 2 })
    expect(found.changed.map(({ before, after }) => `${before} ${after}`).toSorted()).toEqual([
      'allow deny',
      'deny allow',
    ])
  })

  it('are saved only with the current version, and only if they load', async () => {
    const [seen] = (await viewer.getPolicies()).files
    const etag = seen?.etag ?? ''
    const save = (text: string, ifMatch: string, at = path) =>
      admin.savePolicy({ params: { path: at }, body: { text }, ifMatch })
    expect(await codeOf(save(STRICTER, 'old'))).toBe('stale_edit')
    expect(await codeOf(save('rules: 1', etag))).toBe('refused')
    expect(file()).toBe(FIRST)
    const saved = await save(STRICTER, etag)
    expect(file()).toBe(STRICTER)
    // It applies at once.
    expect(refusal(await write('alpha')).code).toBe('policy_denied')
    expect(textOf(await write('forbidden'))).toContain('forbidden')
    expect(await codeOf(save(FIRST, etag))).toBe('stale_edit')
    await save(FIRST, saved.etag)
    expect(textOf(await write('alpha'))).toContain('alpha')
  })

  it('are created as new files only where the config has patterns for them', async () => {
    const rule = 'rules: [{ id: other, effect: allow, reason: Fine. }]\n'
    const save = (at: string) =>
      admin.savePolicy({ params: { path: at }, body: { text: rule }, ifMatch: 'new' })
    for (const at of [
      'hintgate.json',
      '../out.yaml',
      'rules/../../out.yaml',
      '/tmp/out.yaml',
      'rules/deep/x.yaml',
      'rules/x.txt',
      'rules/.x.yaml',
    ])
      expect([at, await codeOf(save(at))]).toEqual([at, 'refused'])
    await save('rules/other.yaml')
    expect((await viewer.getPolicies()).rules.map(({ id }) => id)).toEqual(['not-today', 'other'])
  })
})

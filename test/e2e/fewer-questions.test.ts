import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminOf, adminWith, codeOf, personToken } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { AN_HOUR_LATER, CLOCK, letAnHourPass } from '../support/clock.ts'
import { decide, waitingFor } from '../support/confirming.ts'
import { type Gateway, Site, startGatewayAt } from '../support/gateway.ts'
import { type Finished, hintgate } from '../support/hintgate.ts'
import { type Message, ModernClient, refusalOf } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
beforeAll(async () => {
  witness = await openWitness()
})
afterAll(cleanUp)

const DESTROY = scripted('destroy', { annotations: DESTROYS })

interface Scene {
  readonly gateway: Gateway
  readonly site: Site
  readonly server: ScriptedServer
  readonly token: string
  readonly name: string
  readonly suggest: (...flags: readonly string[]) => Promise<Finished>
  readonly destroy: (id: string, session?: string) => Promise<Message>
}

let scenes = 0

/** A gateway whose people have approved the destruction of `a` and of `b` three times each, in several sessions. */
async function play(): Promise<Scene> {
  const server = new ScriptedServer(`s${++scenes}`, witness, [DESTROY])
  const base = { confirm: {}, mcpServers: { s: server.config } }
  const site = new Site(base)
  const gateway = await startGatewayAt(site, { env: CLOCK })
  await gateway.says(/\bs is ready/)
  const { name, token } = await site.namedToken()
  const admin = await adminWith(gateway, 'admin')
  const client = new ModernClient(gateway.endpoint('s'), token)
  const destroy = (id: string, session = 'main'): Promise<Message> =>
    client.call('destroy', { id }, { meta: { 'io.hintgate/session': session } })
  for (const [at, id] of ['a', 'b', 'a', 'b', 'a', 'b'].entries()) {
    const session = `session ${at}`
    const params = { id: waitingFor(await destroy(id, session)).id }
    await admin.decideApproval({ params, body: { decision: 'approve' } })
    expect(refusalOf(await destroy(id, session))).toBeUndefined()
  }
  const suggest = (...flags: readonly string[]): Promise<Finished> =>
    hintgate(['policy', 'suggest', ...flags, ...site.flags])
  return { gateway, site, server, token, name, suggest, destroy }
}

async function acceptAll(
  { gateway, site, server, suggest }: Scene,
  ...flags: readonly string[]
): Promise<string> {
  const accepted = await suggest('--accept', 'all', '--author', 'ada', ...flags)
  expect(accepted).toMatchObject({ code: 0, stderr: '' })
  const reloaded = gateway.says(/reloaded the configuration/)
  site.configure({ confirm: {}, mcpServers: { s: server.config }, policies: ['policies/*.yaml'] })
  await reloaded
  return readFileSync(join(site.folder, 'policies/accepted.yaml'), 'utf8')
}

describe('policy suggest', () => {
  it('finds what people always approve, and the accepted rule asks no more, until it expires', async () => {
    const scene = await play()
    const found = await scene.suggest()
    expect(found.code).toBe(0)
    expect(found.stdout).toContain(
      '6 questions were asked, and people approved 6 of them. These rules would have removed 6',
    )
    expect(found.stdout).toMatch(
      new RegExp(`\`s:destroy\` by \`${scene.name}\` when id is "a" or "b": 6 questions, all approved`),
    )
    expect(found.stdout).toContain('No recorded attacks were replayed')
    const text = await acceptAll(scene, '--expires', '30m')
    const file = join(scene.site.folder, 'policies/accepted.yaml')
    const bare = new Site({})
    const replayed = await hintgate([
      'policy',
      'replay',
      file,
      ...['--config', bare.configFile, '--home', scene.site.home],
    ])
    expect(replayed.stdout).toMatch(/s:destroy +confirm → allow +fewer-destroy-/)
    expect(text).toContain('author: "ada"')
    expect(
      await hintgate(['policy', 'check', join(scene.site.folder, 'policies/accepted.yaml')]),
    ).toMatchObject({ code: 0 })

    expect(refusalOf(await scene.destroy('a'))).toBeUndefined()
    expect(refusalOf(await scene.destroy('c'))).toBe('confirmation_required')
    const other = new ModernClient(scene.gateway.endpoint('s'), await scene.site.token())
    expect(refusalOf(await other.call('destroy', { id: 'a' }))).toBe('confirmation_required')

    const query = await hintgate([
      'audit',
      'query',
      '--agent',
      scene.name,
      '--verdict',
      'allow',
      '--json',
      ...scene.site.flags,
    ])
    expect(query.stdout).toMatch(
      /not asked \(confirm\.destructive\), because waiver fewer-destroy-\w+ of ada applies until/,
    )
    const explained = await hintgate([
      'policy',
      'explain',
      's:destroy',
      '{"id":"a"}',
      '--as',
      scene.name,
      ...scene.site.flags,
    ])
    expect(explained.stdout).toMatch(/waivers +notes +not asked \(confirm\.destructive\)/)
    expect(explained.stdout).toContain('verdict: allow')

    await letAnHourPass(scene.gateway)
    expect(refusalOf(await scene.destroy('a'))).toBe('confirmation_required')
    const doctor = await hintgate(['doctor', '--json', ...scene.site.flags], { env: AN_HOUR_LATER })
    expect(doctor.stdout).toContain('waivers_expired')
  })

  it('asks again about a tool whose definition changed', async () => {
    const scene = await play()
    await acceptAll(scene)
    expect(refusalOf(await scene.destroy('b'))).toBeUndefined()
    scene.server.change([scripted('destroy', { annotations: DESTROYS, description: 'Another one.' })])
    await expect.poll(async () => refusalOf(await scene.destroy('b'))).toBe('confirmation_required')
  })

  it('writes nothing without an author, for an unknown id, or into a file that could not be loaded', async () => {
    const scene = await play()
    const file = join(scene.site.folder, 'mine.yaml')
    expect(await scene.suggest('--accept', 'all')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--author'),
    })
    const unknown = await scene.suggest('--accept', 'nothing', '--author', 'ada')
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing') })
    expect((await scene.suggest('--accept', 'all', '--author', 'ada', '--expires', '400d')).code).toBe(2)
    writeFileSync(file, 'rules: []\n')
    const broken = await scene.suggest('--accept', 'all', '--author', 'ada', '--out', file)
    expect(broken.code).not.toBe(0)
    expect(readFileSync(file, 'utf8')).toBe('rules: []\n')
    const mine = '# mine\nrules:\n  - { id: "x",   effect: deny, tools: "y:z", reason: "No." }   # kept\n'
    writeFileSync(file, mine)
    expect(await scene.suggest('--accept', 'all', '--author', 'ada', '--out', file)).toMatchObject({
      code: 0,
    })
    expect(readFileSync(file, 'utf8').startsWith(mine)).toBe(true)
  })

  it('suggests nothing that a person denied, or that a recorded attack did', async () => {
    const scene = await play()
    const folder = join(scene.site.folder, 'attacks')
    mkdirSync(join(folder, 'one'), { recursive: true })
    const steps = [{ tool: 'destroy', args: { id: 'b' }, by: 'attacker' }]
    writeFileSync(
      join(folder, 'one/cases.jsonl'),
      `${JSON.stringify({ id: '1', kind: 'hijacked', steps })}\n`,
    )
    const attacked = await scene.suggest('--hijacks', folder)
    expect(attacked.stdout).toContain('when id is "a": 3 questions')
    expect(attacked.stdout).toContain('tried against 1 recorded attacks')
    await decide(scene.site, 'deny', waitingFor(await scene.destroy('a', 'new')).id)
    expect(refusalOf(await scene.destroy('a', 'new'))).toBe('confirmation_denied')
    await expect
      .poll(async () => (await scene.suggest()).stdout)
      .toMatch(/No rule is suggested\.\n[\s\S]*would cover a call that was denied/)
  })
})

describe('suggestions over the admin API', () => {
  it('are seen by every person, accepted by operators, and out of reach of agents', async () => {
    const { gateway, token, destroy, site } = await play()
    const [viewer, operator] = [await adminWith(gateway, 'viewer'), await adminWith(gateway, 'operator')]
    const { suggestions, removed } = await viewer.listSuggestions({ query: {} })
    expect(removed).toBe(6)
    const [{ id = '' } = {}] = suggestions
    expect(await codeOf(viewer.acceptSuggestion({ params: { id }, body: {} }))).toBe('role_needed')
    const agent = adminOf(gateway, token)
    expect(await codeOf(agent.listSuggestions({ query: {} }))).not.toBe('done')
    expect(await codeOf(agent.acceptSuggestion({ params: { id }, body: {} }))).not.toBe('done')
    expect(await codeOf(agent.listGrants({ query: {} }))).not.toBe('done')
    expect(refusalOf(await destroy('a'))).toBe('confirmation_required')

    const accepted = await operator.acceptSuggestion({ params: { id }, body: { expiresIn: '1d' } })
    expect(accepted.path).toBe('policies/accepted.yaml')
    expect(readFileSync(join(site.folder, accepted.path), 'utf8')).toContain('author: "person:operator"')
    expect(refusalOf(await destroy('a'))).toBeUndefined()
    expect((await viewer.listSuggestions({ query: {} })).suggestions).toEqual([])
  })

  it('come with figures on the overview and in the metrics', async () => {
    const { gateway, name } = await play()
    const viewer = await adminWith(gateway, 'viewer')
    const { questions } = await viewer.overview({ query: {} })
    expect(questions).toMatchObject({
      questions: 6,
      approved: 6,
      denied: 0,
      agents: [{ agent: `agent:${name}`, questions: 6 }],
      rules: [{ rule: 'confirm.destructive', questions: 6, approved: 6 }],
    })
    expect(questions.medianMs).toBeGreaterThan(0)
    expect(questions.days.at(-1)?.questions).toBe(6)
    const authorization = `Bearer ${await personToken(gateway.site, 'viewer', 'scraper')}`
    const metrics = await (await fetch(`${gateway.url}/metrics`, { headers: { authorization } })).text()
    expect(metrics).toContain(`hintgate_questions_total{agent="agent:${name}",rule="confirm.destructive"} 6`)
    await expect
      .poll(async () => (await fetch(`${gateway.url}/metrics`, { headers: { authorization } })).text())
      .toContain('hintgate_answers_total{result="approved"} 6')
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { type Json, ModernClient, refusalOf } from '../support/raw-mcp.ts'
import { READS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { EVERYTHING } from '../support/search-client.ts'
import { openWitness } from '../support/witness.ts'

afterAll(cleanUp)

const DEMO = fileURLToPath(new URL('../../examples/demo.json', import.meta.url))

describe('the demo with a fresh home', () => {
  it('sends a message, and another one, without a question', async () => {
    const home = mkdtempSync(join(tmpdir(), 'hintgate-honest-'))
    later(() => rmSync(home, { recursive: true, force: true }))
    const message = JSON.stringify({ to: ['ada@example.com'], subject: 'Hello', text: 'Hi.' })
    const flags = ['--config', DEMO, '--home', home]
    for (let i = 0; i < 2; i += 1) {
      const called = await hintgate(['call', 'mailer:send_message', message, ...flags])
      expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining('{"sent":1}') })
    }
  })
})

/** The hints that Hintgate assumes for an additive tool without declarations. */
const ASSUMED = {
  readOnlyHint: false,
  idempotentHint: false,
  openWorldHint: true,
  sensitiveHint: true,
  reversibleHint: false,
  egressHint: true,
}
type Hint = keyof typeof ASSUMED
const RISK_HINTS: readonly Hint[] = ['sensitiveHint', 'reversibleHint', 'egressHint']

const ALL = Object.keys(ASSUMED) as Hint[]

/** Every combination of hints that can be declared. */
const COMBINATIONS: readonly (readonly Hint[])[] = Array.from({ length: 2 ** ALL.length }, (_, bits) =>
  ALL.filter((_hint, at) => Math.floor(bits / 2 ** at) % 2 === 1),
)

const nameOf = (verb: string, hints: readonly Hint[]): string =>
  [`${verb}_item`, ...hints.map(hint => hint.slice(0, 3).toLowerCase())].join('_')

const ANSWER = { result: { content: [{ type: 'text', text: 'ok' }] } }
const READS_WORLD = { ...READS, openWorldHint: true }
const PAGE = scripted('fetch', { annotations: READS_WORLD }, ANSWER)
const SECRET = scripted(
  'read',
  { annotations: READS, _meta: { 'io.hintgate/hints': { sensitiveHint: true } } },
  ANSWER,
)

function declaring(verb: string, hints: readonly Hint[]) {
  const pick = (some: readonly Hint[]) => Object.fromEntries(some.map(hint => [hint, ASSUMED[hint]]))
  const annotations = pick(hints.filter(hint => !RISK_HINTS.includes(hint)))
  const _meta = { 'io.hintgate/hints': pick(hints.filter(hint => RISK_HINTS.includes(hint))) }
  return scripted(nameOf(verb, hints), { description: '', annotations, _meta }, ANSWER)
}

/** The tools that earlier calls of a session used. */
const PASTS = [
  { when: 'in a fresh session', past: [] },
  { when: 'after a page', past: ['fetch'] },
  { when: 'after a private file', past: ['read'] },
  { when: 'after both', past: ['fetch', 'read'] },
]
const VERBS = ['add', 'send']

describe('a hint that declares what is assumed anyway', () => {
  let url: string
  let sessions = 0
  const secretOf = (index: number) => `agent-${index}-0123456789abcdefghijklmnopqrstuvwxyz`

  beforeAll(async () => {
    const witness = await openWitness()
    const tools = VERBS.flatMap(verb => COMBINATIONS.map(hints => declaring(verb, hints)))
    const server = new ScriptedServer('honest', witness, [PAGE, SECRET, ...tools])
    const scope = { permissions: ['read', 'write'], servers: ['*'] }
    const agent_tokens = Object.fromEntries(
      COMBINATIONS.map((_, index) => [`agent-${index}`, { ...scope, token: secretOf(index) }]),
    )
    const config = { confirm: {}, agent_tokens, mcpServers: { s: server.config } }
    url = (await startReadyGateway(config)).endpoint('s')
  })

  /** The outcome of a call in a new session with this past; each combination of hints has its own agent. */
  async function codeAfter(past: readonly string[], verb: string, hints: readonly Hint[]) {
    const client = new ModernClient(url, secretOf(COMBINATIONS.indexOf(hints)))
    const meta: Json = { 'io.hintgate/session': `session-${++sessions}` }
    for (const name of past) expect(refusalOf(await client.call(name, {}, { meta }))).toBeUndefined()
    return refusalOf(await client.call(nameOf(verb, hints), {}, { meta }))
  }

  const [SILENCE = []] = COMBINATIONS
  for (const verb of VERBS)
    it.each(PASTS)(`never gets "${verb}" a stricter verdict $when`, async ({ past }) => {
      const silent = await codeAfter(past, verb, SILENCE)
      for (const hints of COMBINATIONS) {
        // Only this hint shows that "add" sends data.
        if (verb === 'add' && past.includes('fetch') && hints.includes('egressHint')) continue
        expect([hints, await codeAfter(past, verb, hints)]).toEqual([hints, silent])
      }
    })

  it.each(VERBS)('lets "%s" run in a fresh session, again and again', async verb => {
    for (const hints of COMBINATIONS) {
      // A result that is declared private must not be sent on, so this hint affects later calls.
      if (hints.includes('sensitiveHint')) continue
      const others = [1, 2].map(() => nameOf(verb, hints))
      for (const past of [[], others])
        expect([hints, await codeAfter(past, verb, hints)]).toEqual([hints, undefined])
    }
  })
})

it('a message sent earlier does not count as content of others, and does not hide such content', async () => {
  const witness = await openWitness()
  const send = scripted('send_note', { annotations: { ...WRITES, openWorldHint: true } }, ANSWER)
  const server = new ScriptedServer('sender', witness, [PAGE, SECRET, send])
  const gateway = await startReadyGateway({ confirm: {}, mcpServers: { s: server.config } })
  const token = await gateway.site.token({ permissions: EVERYTHING })
  const client = new ModernClient(gateway.endpoint('s'), token)
  const call = async (name: string) => refusalOf(await client.call(name, {}))
  for (const name of ['send_note', 'read', 'send_note', 'fetch']) expect(await call(name)).toBeUndefined()
  expect(await call('send_note')).toBe('confirmation_required')
})

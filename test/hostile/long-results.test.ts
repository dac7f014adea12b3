import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { LegacyClient, ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'
import { openWitness } from '../support/witness.ts'
import { talkative } from './talkative.ts'

// Some texts take long to search. They delay their own results, but not those of other callers.

const ID = '123-45-6789'
/** Every one must be examined closely: searching all of this takes about half a second of CPU time. */
const ODD = `${ID} `.repeat(75_000)
const TIMES = 4
/**
 * Meanwhile dozens of calls are answered, even on a busy machine; between two searches on a single thread it would be
 * one or two.
 */
const MANY = 6 * TIMES

let gateway: Gateway
let greedy: string
let other: string

beforeAll(async () => {
  const witness = await openWitness()
  gateway = await startReadyGateway({
    mcpServers: {
      odd: talkative('odd', witness, { results: { secrets: 'redact', pii: 'redact' } }),
      plain: stdioServer('plain', witness),
    },
  })
  greedy = await gateway.site.token()
  other = await gateway.site.token()
})
afterAll(cleanUp)

describe('results that take long to search', () => {
  it('delay no other caller, and are searched completely', async () => {
    const client = new ModernClient(gateway.endpoint('odd'), greedy)
    let left = TIMES
    const long = Array.from({ length: TIMES }, async () => {
      const answer = await client.call('echo', { text: ODD })
      left -= 1
      return answer
    })
    const quick = new ModernClient(gateway.endpoint('plain'), other)
    let answered = 0
    while (left > 0) {
      expect(textOf(await quick.call('echo', { n: answered }))).toContain(`"n":${answered}`)
      answered += 1
    }
    for (const answer of await Promise.all(long)) {
      expect(refusalOf(answer)).toBeUndefined()
      expect(textOf(answer)).not.toContain(ID)
    }
    expect(answered).toBeGreaterThan(MANY)
  })

  it('delay no other caller as questions either', async () => {
    const client = await new LegacyClient(gateway.endpoint('odd'), greedy).initialize({
      capabilities: { elicitation: {} },
    })
    const call = client.openCall('ask_later', { question: ODD.slice(0, 900_000), after: 0 })
    let isAsked = false
    const asked = call.until('elicitation/create').then(({ id, params }) => {
      isAsked = true
      expect(JSON.stringify(params)).not.toContain(ID)
      return client.respond(id ?? '', { action: 'decline' })
    })
    const quick = new ModernClient(gateway.endpoint('plain'), other)
    let answered = 0
    for (; !isAsked; answered += 1) await quick.call('echo')
    await asked
    await call.answer()
    expect(answered).toBeGreaterThan(MANY / 4)
  })

  it('are redacted or blocked like short ones', async () => {
    const client = new ModernClient(gateway.endpoint('odd'), greedy)
    const answer = await client.call('echo', { text: `${'x '.repeat(600_000)}${ID}` })
    expect(refusalOf(answer)).toBe('guardrail_blocked')
    expect(textOf(answer)).toContain('too long to be searched')
  })
})

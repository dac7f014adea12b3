import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Facts } from '../../policy/facts/facts.ts'
import { parsePolicies } from '../../policy/rules/parse-policies.ts'
import { makeFacts } from '../../policy/rules/test-support/make-facts.ts'
import type { Rules } from '../../policy/rules.ts'
import type { Json } from '../../protocol/messages.ts'
import type { Hijacks } from './hijacks.ts'
import type { Asked, Question } from './question.ts'
import { suggestWaivers } from './suggest-waivers.ts'
import type { Suggestions } from './suggestion.ts'
import { writeWaiver } from './write-waiver.ts'

const NOW = Date.parse('2026-11-19T12:00:00Z')
const FINGERPRINT = 'ab'.repeat(32)

const RULES: Rules = {
  version: '1',
  intent: 'warn',
  confirm: {
    read: 'never',
    write: 'never',
    destructive: 'always',
    trifecta: 'off',
    acrossSessions: false,
    provenance: 'targets',
    channel: 'any',
    remember: [],
    approvers: [],
  },
  policies: { fallback: 'allow', evaluate: () => ({ hits: [] }), waiversOf: () => [] },
  guardrails: { size: 0, check: () => [], checkTexts: () => [], ratesOf: () => [] },
  results: () => ({ schema: 'off', secrets: 'off', pii: 'off', hidden: 'off', instructions: 'off' }),
  rateOf: () => undefined,
}

interface Given {
  readonly args: Json
  readonly agent?: string
  readonly tool?: string
  readonly rules?: readonly string[]
  readonly answer?: Question['answer']
  readonly argument?: string
  readonly set?: string
}

let count = 0

function factsOf({ args, agent = 'pay-bot', tool = 'send_money', argument, set }: Given): Facts {
  const facts = makeFacts({
    agent,
    tool,
    server: 'bank',
    args,
    hints: { destructive: false, readOnly: false },
  })
  const origin =
    argument === undefined
      ? undefined
      : {
          kind: 'target' as const,
          argument,
          values: [],
          server: 'files',
          tool: 'read',
          request: 'r',
          at: 0,
          passage: '',
        }
  return { ...facts, tool: { ...facts.tool, fingerprint: FINGERPRINT }, set, origin, now: NOW }
}

function question(given: Given): Question {
  count += 1
  return {
    id: `ap_${count}`,
    at: NOW - count,
    session: `s${count}`,
    rules: given.rules ?? ['provenance.target'],
    facts: factsOf({ argument: 'recipient', ...given }),
    answer: given.answer ?? 'approved',
    by: 'person:ada',
    action: 'Send money',
  }
}

function suggest(
  given: readonly Given[],
  {
    denied = [],
    hijacks,
    rules = RULES,
  }: { denied?: readonly Facts[]; hijacks?: Hijacks; rules?: Rules } = {},
): Suggestions {
  const asked: Asked = { questions: given.map(question), denied, isCut: false }
  return suggestWaivers(asked, { rules, hijacks, min: 3, now: NOW })
}

/** True if the only suggestion, written and read as a policy file, applies to the call. */
function covers({ suggestions }: Suggestions, given: Given): boolean {
  const items = suggestions.map(({ draft }) =>
    writeWaiver(draft, { author: 'ada', expires: NOW + 1000, reason: 'Rent.' }),
  )
  const { set, problems } = parsePolicies([
    { path: 'accepted.yaml', text: `rules:${items.length === 0 ? ' []' : ''}\n${items.join('')}` },
  ])
  expect(problems).toEqual([])
  return set.waiversOf(factsOf({ argument: 'recipient', ...given })).length > 0
}

const RENT = { recipient: 'CS5430532478', amount: 1235.6, subject: 'Rent for May', date: '2024-05-19' }
const POWER = { recipient: 'DH5939281092', amount: 156.9, subject: 'Electricity bill', date: '2024-05-19' }
const MONTH: readonly Given[] = [RENT, RENT, RENT, POWER, POWER].map(args => ({ args }))

describe('suggested waivers', () => {
  it('cover calls that people approved again and again, and say so', () => {
    const found = suggest(MONTH)
    expect(found).toMatchObject({ asked: 5, approved: 5, removed: 5, rejected: [] })
    expect(found.suggestions[0]).toMatchObject({
      questions: 5,
      text: expect.stringMatching(
        /^`bank:send_money` by `pay-bot` when .*recipient is "CS5430532478" or "DH5939281092": 5 questions, all approved$/,
      ),
      people: ['person:ada'],
      newlyAllows: expect.arrayContaining([expect.stringContaining('any text in date, subject')]),
    })
    expect(covers(found, { args: { ...RENT, subject: 'Rent, June' } })).toBe(true)
  })

  it.each<[string, Given]>([
    ['another recipient', { args: { ...RENT, recipient: 'AT6854532054' } }],
    ['a larger amount', { args: { ...RENT, amount: 90_000 } }],
    ['an argument that no approved call had', { args: { ...RENT, cc: 'eve@evil.example' } }],
    ['a list in place of a value', { args: { ...RENT, recipient: ['CS5430532478', 'AT6854532054'] } }],
    ['a missing argument', { args: { amount: 1, subject: 'x', date: 'y' } }],
    ['another agent', { args: RENT, agent: 'mail-bot' }],
    ['another tool', { args: RENT, tool: 'send_gift' }],
    ['a text that names an argument that can be anything', { args: RENT, argument: 'subject' }],
  ])('do not cover %s', (_, given) => {
    expect(covers(suggest(MONTH), given)).toBe(false)
  })

  it('cover calls of one toolset, or only calls outside of all', () => {
    const inSet = suggest(MONTH.map(one => ({ ...one, set: 'home' })))
    expect(inSet.suggestions[0]?.text).toContain('`bank:send_money` in the toolset `home` by')
    const places = [{}, { set: 'home' }, { set: 'work' }].map(place => ({ args: RENT, ...place }))
    expect(places.map(given => covers(inSet, given))).toEqual([false, true, false])
    expect(places.map(given => covers(suggest(MONTH), given))).toEqual([true, false, false])
    const mixed = suggest([...MONTH.slice(0, 2), { args: RENT, set: 'home' }, { args: RENT, set: 'home' }])
    expect(mixed.suggestions).toEqual([])
  })

  it('are bound to the definition of the tool', () => {
    const [suggestion] = suggest(MONTH).suggestions
    expect(suggestion?.draft.fingerprint).toBe(FINGERPRINT)
  })

  it('are not made from too few approvals, from denials, or from questions that nobody answered', () => {
    expect(suggest(MONTH.slice(0, 2)).suggestions).toEqual([])
    expect(suggest(MONTH.map(one => ({ ...one, answer: 'open' as const }))).suggestions).toEqual([])
  })

  it('leave out a value that was approved only once', () => {
    const found = suggest([...MONTH, { args: { ...RENT, recipient: 'ONCE00000001' } }])
    expect(found.removed).toBe(5)
    expect(covers(found, { args: { ...RENT, recipient: 'ONCE00000001' } })).toBe(false)
  })

  it('are not made if they would cover a call that a person denied, whichever agent made it', () => {
    const found = suggest([
      ...MONTH,
      { args: { ...RENT, subject: 'Rent again' }, agent: 'other', answer: 'denied' },
    ])
    expect(found.suggestions).toEqual([])
    expect(found.rejected[0]?.why).toMatch(/denied/)
    expect(suggest(MONTH, { denied: [factsOf({ args: POWER })] }).suggestions).toEqual([])
  })

  it('leave out the values with which a recorded attack would succeed', () => {
    const attack = (args: Json): Hijacks => ({
      runs: [
        {
          steps: [
            { tool: 'read_file', args: {} },
            { tool: 'send_money', args },
          ],
        },
      ],
      reads: new Set(['read_file']),
    })
    const found = suggest(MONTH, { hijacks: attack(POWER) })
    expect(found.suggestions[0]).toMatchObject({ questions: 3, replay: { hijackedRuns: 1 } })
    expect(covers(found, { args: POWER })).toBe(false)
    expect(covers(found, { args: RENT })).toBe(true)
  })

  it('let an attack use a covered call only after it was stopped at another call', () => {
    const steps = [
      { tool: 'send_money', args: { ...RENT, recipient: 'AT6854532054' } },
      { tool: 'send_money', args: RENT },
    ]
    expect(suggest(MONTH, { hijacks: { runs: [{ steps }], reads: new Set() } }).removed).toBe(5)
  })

  it.each([['provenance.occasion'], ['session.trifecta'], ['guardrail.require_approval']])(
    'never stand for %s',
    rule => {
      const found = suggest(MONTH.map(one => ({ ...one, rules: [rule] })))
      expect(found.suggestions).toEqual([])
      expect(found.rejected).toHaveLength(1)
    },
  )

  it('do not cover values that the log masked or cut', () => {
    const secret = { ...RENT, recipient: '[redacted:api-key]' }
    expect(suggest([{ args: secret }, { args: secret }, { args: secret }]).suggestions).toEqual([])
  })

  it('cover values with a common beginning, unless made-up attacks would then pass', () => {
    const files = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'].map(name => ({
      args: { path: `/tmp/build/${name}` },
      rules: ['confirm.write'],
    }))
    const found = suggest(files)
    expect(found.suggestions[0]?.text).toContain('path begins with "/tmp/build/"')
    expect(covers(found, { args: { path: '/tmp/build/f.txt' } })).toBe(true)
    expect(covers(found, { args: { path: '/tmp/build/../../etc/passwd' } })).toBe(false)
    expect(covers(found, { args: { path: '/tmp/build/%2e%2e/etc' } })).toBe(false)
    expect(covers(found, { args: { path: '/tmp/other' } })).toBe(false)
    // Without provenance, nothing asks when a text names another file there.
    const blind = { ...RULES, confirm: { ...RULES.confirm, write: 'always', provenance: 'off' } as const }
    const tried = suggest(files, { rules: blind })
    expect(tried.suggestions).toEqual([])
    expect(tried.rejected[0]?.why).toMatch(/another value of path/)
    expect(suggest(files.map(one => ({ ...one, rules: ['provenance.target'] }))).suggestions).toEqual([])
  })

  it('name copies of an agent by their pattern, and say that later copies are covered', () => {
    const found = suggest([1, 2, 3].map(number => ({ args: RENT, agent: `pay-bot-${number}` })))
    expect(found.suggestions[0]?.draft.agents).toBe('pay-bot-*')
    expect(found.suggestions[0]?.newlyAllows.join()).toContain('a name like pay-bot-*')
    expect(
      suggest([1, 2, 2].map(number => ({ args: RENT, agent: `pay-bot-${number}` }))).suggestions,
    ).toEqual([])
  })

  it('write whatever an agent sent as values, never as code', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), text => {
        const args = { recipient: text }
        const found = suggest([{ args }, { args }, { args }])
        if (found.suggestions.length > 0) {
          expect(covers(found, { args })).toBe(true)
          expect(covers(found, { args: { recipient: `${text} or more` } })).toBe(false)
        }
      }),
    )
  })

  it.each(['x"] || size(args) > 0 || "" in ["', 'x\\"] || true || "" in ["', 'x"\n      || true # '])(
    'cover the value %j as it is, and nothing else',
    text => {
      const args = { recipient: text }
      const found = suggest([{ args }, { args }, { args }])
      expect(covers(found, { args: { recipient: 'AT6854532054' } })).toBe(false)
      if (!text.includes('\n')) expect(covers(found, { args })).toBe(true)
    },
  )

  it('never cover a call that was denied, and never remove a deny', () => {
    const value = fc.constantFrom('a@x.example', 'b@x.example', 'c@y.example')
    const given = fc.record({
      args: fc.record(
        {
          recipient: fc.oneof(value, fc.array(value, { maxLength: 2 })),
          amount: fc.integer({ min: 1, max: 3 }),
          note: fc.constantFrom('one two', 'three four'),
        },
        { requiredKeys: ['recipient'] },
      ),
      agent: fc.constantFrom('bot', 'other'),
      answer: fc.constantFrom<Question['answer']>('approved', 'approved', 'approved', 'denied', 'open'),
    })
    fc.assert(
      fc.property(fc.array(given, { maxLength: 25 }), calls => {
        const found = suggest(calls)
        for (const call of calls.filter(({ answer }) => answer === 'denied'))
          expect(covers(found, call)).toBe(false)
        for (const { draft } of found.suggestions) expect(draft.waives).toEqual(['provenance.target'])
      }),
    )
  })
})

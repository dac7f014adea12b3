import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entropyOf } from './entropy.ts'
import { findKnownSecrets } from './find-known-secrets.ts'
import { findSecrets } from './find-secrets.ts'
import { SECRET_RULES } from './secret-rules.ts'

const HINTED = SECRET_RULES.filter(({ hints }) => hints !== undefined)
/** What must not, or must, stand around a match is left out: texts are made from the rest. */
const AROUND = /\(\?<?![^()]*\)|\(\?<=[^()]*\)/g

describe.each(HINTED.map(rule => [rule.id, rule] as const))('%s', (id, rule) => {
  const body = rule.pattern.source.replace(
    '(?<=(?<![A-Za-z0-9])(?<head>sk-[\\w-]{16,120}))',
    'sk-\\w{16,120}',
  )
  const shape = new RegExp(`^${body.replaceAll(AROUND, '')}$`)

  it('is found at its hint wherever its pattern matches', () => {
    const text = fc
      .stringMatching(shape)
      .map(made => (made.startsWith('_authToken') ? `//a.io/:${made}` : made))
    fc.assert(
      fc.property(text, made => {
        const written = `say ${made} and ${made}`
        const expected = [...written.matchAll(rule.pattern)].map(match => {
          const secret =
            match.groups?.head === undefined ? (match[1] ?? match[0]) : match.groups.head + match[0]
          return { secret, end: match.index + match[0].length }
        })
        const judged = expected.filter(
          ({ secret }) =>
            entropyOf(secret) >= (rule.entropy ?? 0) && (rule.judge?.(secret) ?? true) !== false,
        )
        const ends = findKnownSecrets(written, 12).flatMap(one => (one.rule === id ? [one.end] : []))
        for (const { end } of judged) expect(ends, written).toContain(end)
      }),
      { numRuns: 30 },
    )
  })
})

describe('a text with a hint of every rule', () => {
  it('is not searched once for each of them', () => {
    const hints = HINTED.flatMap(rule => rule.hints?.map(hint => `${hint}aaaaaaaaaaaa`) ?? []).join(' ')
    const startedAt = process.cpuUsage()
    findSecrets(`${hints} ${'A1'.repeat(2_000_000)}`)
    findSecrets(`${hints} ${'/'.repeat(4_000_000)}`)
    const { user } = process.cpuUsage(startedAt)
    expect(user / 1000).toBeLessThan(3000)
  })
})

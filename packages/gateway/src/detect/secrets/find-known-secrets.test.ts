import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entropyOf } from '../text/entropy.ts'
import { findKnownSecrets } from './find-known-secrets.ts'
import { findSecrets } from './find-secrets.ts'
import { SECRET_RULES } from './secret-rules.ts'

const HINTED = SECRET_RULES.filter(({ hints }) => hints !== undefined)
/** Matches lookarounds, which are removed from a pattern before texts are generated from it. */
const AROUND = /\(\?<?![^()]*\)|\(\?<=[^()]*\)/g

describe.each(HINTED.map(rule => [rule.id, rule] as const))('%s', (id, rule) => {
  const body = rule.pattern.source.replace(
    '(?<=(?<![A-Za-z0-9])(?<head>sk-[\\w-]{16,120}))',
    'sk-\\w{16,120}',
  )
  const shape = new RegExp(`^${body.replaceAll(AROUND, '')}$`)

  it('is found through its hint whenever its pattern matches', () => {
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
          ({ secret }) => entropyOf(secret) >= rule.entropy && (rule.judge?.(secret) ?? true) !== false,
        )
        const ends = findKnownSecrets(written, 12).flatMap(one => (one.rule === id ? [one.end] : []))
        for (const { end } of judged) expect(ends, written).toContain(end)
      }),
      { numRuns: 30 },
    )
  })

  it('is found after any number of its hints', () => {
    const decoys = fc
      .tuple(
        fc.constantFrom(...(rule.hints ?? [])),
        fc.constantFrom('', '_', '-', '/', 'a', '.'),
        fc.nat(120),
      )
      .map(([hint, joint, times]) => `${hint}${joint}`.repeat(times))
    fc.assert(
      fc.property(decoys, fc.stringMatching(shape), decoys, (before, made, after) => {
        const written = `${before}${made}${after}`
        if (rule.hintAt.length === 0 || made.startsWith('sk-')) return
        const ends = findKnownSecrets(written, 12).flatMap(one => (one.rule === id ? [one.end] : []))
        for (const match of written.matchAll(rule.pattern)) {
          const secret = match[1] ?? match[0]
          const isOne = entropyOf(secret) >= rule.entropy && (rule.judge?.(secret) ?? true) !== false
          if (isOne) expect(ends, written).toContain(match.index + match[0].length)
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('a run that is too long for a token', () => {
  it('is not read again for each hint in it', () => {
    const startedAt = process.cpuUsage()
    for (const hint of ['fm2_/', 'glsa_', 'glc__', 'glagent--', 'sntrys_'])
      findSecrets(hint.repeat(1_000_000 / hint.length))
    const { user } = process.cpuUsage(startedAt)
    expect(user / 1000).toBeLessThan(1200)
  })
})

describe('a text with a hint of every rule', () => {
  it('is not searched again for each rule', () => {
    const hints = HINTED.flatMap(rule => rule.hints?.map(hint => `${hint}aaaaaaaaaaaa`) ?? []).join(' ')
    const startedAt = process.cpuUsage()
    findSecrets(`${hints} ${'A1'.repeat(2_000_000)}`)
    findSecrets(`${hints} ${'/'.repeat(4_000_000)}`)
    const { user } = process.cpuUsage(startedAt)
    expect(user / 1000).toBeLessThan(3000)
  })
})

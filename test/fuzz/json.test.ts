import { canonicalJson, fingerprint, NotCanonicalError } from '@hintgate/metadata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  parseJson,
  spellNumbers,
  writeJson,
  writeSorted,
} from '../../packages/gateway/src/protocol/parse-json.ts'
import { jsonText, mutated } from './arbitrary-json.ts'
import { effort, TIMEOUT_MS } from './budget.ts'

const DEPTH = 100

/** Numbers as written, in the key order of `JSON.parse`. They must keep all their digits. */
function compact(text: string): string {
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, token =>
    token.startsWith('"') ? token : `"\\u0001number ${token}"`,
  )
  return JSON.stringify(JSON.parse(marked)).replaceAll(/"\\u0001number ([^"]*)"/g, '$1')
}

const numbersAlike = (text: string): string =>
  // A number that a double holds exactly may change its notation.
  text.replaceAll(/(?<![\w"\\])-?\d[\d.eE+-]*/g, number => {
    const value = Number(number)
    const isHeld = Number.isFinite(value) && (number.length < 16 || String(value) === number)
    return isHeld && (value !== 0 || !/[1-9]/.test(number.split(/[eE]/)[0] ?? '')) ? String(value) : number
  })

describe('parseJson() and writeJson()', () => {
  it(
    'round-trip every document with all digits',
    () => {
      fc.assert(
        fc.property(jsonText, text => {
          const parsed = parseJson(text, DEPTH)
          expect(parsed.ok, text).toBe(true)
          if (parsed.ok) expect(numbersAlike(writeJson(parsed.value))).toBe(numbersAlike(compact(text)))
        }),
        effort(2000),
      )
    },
    TIMEOUT_MS,
  )

  it(
    'accept only valid JSON',
    () => {
      fc.assert(
        fc.property(mutated(jsonText), text => {
          const parsed = parseJson(text, DEPTH)
          let isJson = true
          try {
            JSON.parse(text)
          } catch {
            isJson = false
          }
          expect(parsed.ok, text).toBe(isJson)
        }),
        effort(2000),
      )
    },
    TIMEOUT_MS,
  )

  it(
    'sort keys deterministically and idempotently',
    () => {
      fc.assert(
        fc.property(jsonText, text => {
          const parsed = parseJson(text, DEPTH)
          if (!parsed.ok) throw new Error(text)
          const sorted = writeSorted(parsed.value)
          const again = parseJson(sorted, DEPTH)
          expect(again.ok && writeSorted(again.value)).toBe(sorted)
          expect(again.ok && writeSorted(reversed(again.value))).toBe(sorted)
          JSON.stringify(spellNumbers(parsed.value))
        }),
        effort(2000),
      )
    },
    TIMEOUT_MS,
  )
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, part]) => [key, reversed(part)]),
  )
}

describe('the canonical form', () => {
  it(
    'is equal exactly for equal values, or undefined',
    () => {
      fc.assert(
        fc.property(jsonText, jsonText, (one, two) => {
          const [a, b] = [JSON.parse(one) as unknown, JSON.parse(two) as unknown]
          const [first, second] = [canonicalOf(a), canonicalOf(b)]
          expect(canonicalOf(reversed(a))).toBe(first)
          if (first === undefined || second === undefined) return
          expect(canonicalOf(JSON.parse(first))).toBe(first)
          expect(first === second).toBe(writeSorted(normal(a)) === writeSorted(normal(b)))
        }),
        effort(2000),
      )
    },
    TIMEOUT_MS,
  )

  it(
    'gives a definition one fingerprint, which changes with every addition',
    () => {
      fc.assert(
        fc.property(jsonText, fc.string({ maxLength: 5 }), (text, name) => {
          const extra = JSON.parse(text) as unknown
          if (canonicalOf(extra) === undefined || canonicalOf(name) === undefined) return
          const tool = { name, inputSchema: {} }
          const more = { ...tool, _meta: { extra } }
          expect(fingerprint(more)).toBe(fingerprint(reversed(more) as typeof more))
          expect(fingerprint(more)).not.toBe(fingerprint(tool))
        }),
        effort(1000),
      )
    },
    TIMEOUT_MS,
  )
})

/** The value after a JSON round trip, in which −0 becomes 0. */
const normal = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function canonicalOf(value: unknown): string | undefined {
  try {
    return canonicalJson(value)
  } catch (error) {
    if (error instanceof NotCanonicalError) return undefined
    throw error
  }
}

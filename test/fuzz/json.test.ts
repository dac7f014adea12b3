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

/** Numbers as they are written, in the order in which `JSON.parse` keeps their keys: what must survive, digit for digit. */
function compact(text: string): string {
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, token =>
    token.startsWith('"') ? token : `"\\u0001number ${token}"`,
  )
  return JSON.stringify(JSON.parse(marked)).replaceAll(/"\\u0001number ([^"]*)"/g, '$1')
}

const numbersAlike = (text: string): string =>
  // A number that a double holds may be written in another way, as long as it is the same number.
  text.replaceAll(/(?<![\w"\\])-?\d[\d.eE+-]*/g, number => {
    const value = Number(number)
    const isHeld = Number.isFinite(value) && (number.length < 16 || String(value) === number)
    return isHeld && (value !== 0 || !/[1-9]/.test(number.split(/[eE]/)[0] ?? '')) ? String(value) : number
  })

describe('what is parsed is what is written on', () => {
  it(
    'whatever the document, digit for digit',
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
    'and nothing but JSON is parsed at all',
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
    'in one order of keys, whatever order they came in, and twice is the same as once',
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
    'is one for equal values and another for others, or there is none',
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
    'gives every definition one fingerprint, and another when anything is added to it',
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

/** Through the eyes of JSON, as a reader of the wire would have it: −0 is 0. */
const normal = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function canonicalOf(value: unknown): string | undefined {
  try {
    return canonicalJson(value)
  } catch (error) {
    if (error instanceof NotCanonicalError) return undefined
    throw error
  }
}

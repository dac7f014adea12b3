import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson, writeLines } from '../../protocol/parse-json.ts'
import { showJson } from './show-json.ts'

describe('showJson', () => {
  it('formats like JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), value => {
        expect(JSON.parse(showJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
        expect(writeLines(value, 2)).toBe(JSON.stringify(value, undefined, 2))
      }),
    )
  })

  it('keeps every digit of a number', () => {
    const text = '{"id": 12345678901234567890, "share": 0.10000000000000000000001}'
    const parsed = parseJson(text, 10)
    expect(showJson(parsed.ok ? parsed.value : undefined)).toBe(
      '{\n  "id": 12345678901234567890,\n  "share": 0.10000000000000000000001\n}\n',
    )
  })

  it('escapes invisible, reordering and control characters without changing the value', () => {
    const value = { text: 'a\u202Eb\u009B31mc\u{E0041}d\u200De\u001B[0m\u007F', plain: 'é 🦔' }
    const shown = showJson(value)
    expect(shown).toContain('"a\\u202eb\\u009b31mc\\udb40\\udc41d\\u200de\\u001b[0m\\u007f"')
    expect(shown).toContain('é 🦔')
    expect(JSON.parse(shown)).toEqual(value)
  })
})

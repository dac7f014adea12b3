import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { writeJson } from '../../protocol/parse-json.ts'
import { readArguments } from './run-call.ts'

const nothing = Readable.from([])

describe('the arguments of a call', () => {
  it('default to an empty object', async () => {
    expect(await readArguments(undefined, [], nothing)).toEqual({})
  })

  it('keep every digit of a number', async () => {
    const args = await readArguments('{"id": 12345678901234567890}', [], nothing)
    expect(writeJson(args)).toBe('{"id":12345678901234567890}')
  })

  it('are read from standard input for -', async () => {
    const euro = Buffer.from('€')
    const stdin = Readable.from([
      Buffer.from('{"a": "'),
      euro.subarray(0, 1),
      euro.subarray(1),
      Buffer.from('"}'),
    ])
    expect(await readArguments('-', [], stdin)).toEqual({ a: '€' })
  })

  it('come from --arg as JSON if possible, otherwise as strings', async () => {
    const pairs = ['limit=3', 'all=true', 'path=a=b.txt', 'id="3"', 'list=[1]', 'empty=', '__proto__=x']
    const args = await readArguments('{"limit": 1, "kept": 0}', pairs, nothing)
    expect(Object.entries(args)).toEqual([
      ['limit', 3],
      ['kept', 0],
      ['all', true],
      ['path', 'a=b.txt'],
      ['id', '3'],
      ['list', [1]],
      ['empty', ''],
      ['__proto__', 'x'],
    ])
  })

  it.each([
    ['{', [], 'not JSON'],
    ['[1]', [], 'expected a JSON object'],
    ['', [], 'not JSON'],
    [undefined, ['limit'], 'expected key=value, not "limit"'],
    [undefined, ['=3'], 'expected key=value'],
  ])('are rejected as wrong usage: %j with --arg %j', async (text, pairs, why) => {
    await expect(readArguments(text, pairs, nothing)).rejects.toMatchObject({
      code: 'flag_invalid',
      exit: 2,
      message: expect.stringContaining(why),
    })
  })
})

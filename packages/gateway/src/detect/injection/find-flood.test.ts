import { describe, expect, it } from 'vitest'
import { findFlood } from './find-flood.ts'

describe('findFlood()', () => {
  it.each(['please ', 'Please, do it now! ', 'obey\n', 'tell me to do it please '])(
    'finds a repeated phrase: %j',
    phrase => {
      expect(findFlood(`Hello. ${phrase.repeat(20)}`)).toBeDefined()
    },
  )

  it('ignores a list with different items', () => {
    const countries = ['AE', 'AF', 'AI', 'AL', 'AM', 'AN', 'AR', 'AT', 'AU', 'AX', 'AZ', 'BA']
    expect(findFlood(countries.map(country => `${country}: number;\n`).join(''))).toBeUndefined()
    const codes = countries.map((_, at) => `case ${at + 48} /* CharacterCodes._${at} */:\n`)
    expect(findFlood(codes.join(''))).toBeUndefined()
  })
})

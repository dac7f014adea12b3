import { describe, expect, it } from 'vitest'
import { findCards } from './find-cards.ts'
import { findPii } from './find-pii.ts'

function foundIn(text: string): readonly (readonly [rule: string, text: string])[] {
  return findPii(text).map(({ rule, start, end }) => [rule, text.slice(start, end)] as const)
}

describe('brackets without a number', () => {
  it.each(['(', ' (', '+('])('take linear time: %j', piece => {
    const text = `1234 ${piece.repeat(300_000 / piece.length)}x`
    const before = process.cpuUsage()
    expect(findPii(text)).toEqual([])
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(3)
  })
})

describe('findPii()', () => {
  it.each([
    ['email', 'write to ', 'ada.lovelace+x@mail.example.co.uk', '.'],
    ['email', '<', 'jörg@müller.example', '>'],
    ['phone', 'at ', '+44 20 7946 0958', ''],
    ['phone', '', '(415) 555-2671', ' is it'],
    ['phone', 'Phone:\n', '467 3395', ''],
    ['phone', '', '655 437 108', ' office'],
    ['card', 'card ', '4111 1111 1111 1111', ' ok'],
    ['card', '', '378282246310005', ''],
    ['iban', 'to ', 'DE89 3704 0044 0532 0130 00', ' please'],
    ['iban', '', 'GB82WEST12345698765432', ''],
    ['ip-address', 'from ', '81.2.69.142', '.'],
    ['ip-address', 'from ', '2a02:26f0:3500:16::1724', ' at'],
    ['us-ssn', 'SSN: ', '536-90-4399', ''],
    ['es-dni', 'DNI ', '12345678Z', ''],
    ['it-codice-fiscale', '', 'RSSMRA85T10A562S', ''],
    ['br-cpf', '', '529.982.247-25', ''],
    ['in-aadhaar', 'aadhaar ', '234123412346', ''],
    ['de-tax-id', 'Steuer-ID ', '86095742719', ''],
    ['pl-pesel', 'PESEL ', '44051401359', ''],
    ['driver-licence', "driver's license number is ", 'U62928788', ''],
  ])('finds %s', (rule, before, value, after) => {
    expect(foundIn(before + value + after)).toEqual([[rule, value]])
  })

  it.each([
    ['us-ssn', '536-90-4399'],
    ['us-itin', '912-70-1234'],
    ['uk-nino', 'AB123456C'],
    ['es-dni', 'X1234567L'],
    ['fr-insee', '185057800608491'],
    ['se-personnummer', '811228-9809'],
    ['fi-hetu', '131052-308T'],
    ['in-aadhaar', '2345 6789 0107'],
    ['cn-id', '11010519491231002X'],
    ['kr-rrn', '900101-1234567'],
  ])('finds %s without a cue word', (rule, value) => {
    for (const text of [value, `(${value})`, `it is ${value}, they say`])
      expect(foundIn(text).map(([found]) => found)).toContain(rule)
  })

  it.each([
    ['a card whose check digit is wrong', 'card 4111 1111 1111 1112'],
    ['an account whose check digits are wrong', 'GB83WEST12345698765432'],
    ['a version', 'version 1.2.3.4'],
    ['a private network', '192.168.1.10 and 127.0.0.1'],
    ['a date and a time', '2018-02-24 12:45:18'],
    ['a place with a postcode', '28030 Edeby 55 Apt. 297'],
    ['a number of an order', 'order 1234567 of 2026'],
    ['a large amount', 'EUR 1,234,567.89'],
    ['a hash', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    ['a handle', 'thanks @ada and a@b'],
    ['a millisecond', '1700000000000'],
    ['where git fetches from', 'git clone git@github.com:acme/web.git'],
    ['a picture for fine screens', '<img src="icon@2x.png" srcset="/img/logo-dark@1.5x.webp">'],
  ])('ignores %s', (_, text) => {
    expect(foundIn(text)).toEqual([])
  })

  it.each([
    'git@acme.example',
    'git@acme.example: it is down',
    'legit@acme.example:inbox',
    'ada@acme.example:web.git',
    'ada@2x.com',
    'ada@2x.png.example',
    'ada@x2.png',
  ])('finds an address that resembles a git remote or an image: %s', text => {
    expect(foundIn(text).map(([rule]) => rule)).toEqual(['email'])
  })

  it('searches only the requested kinds', () => {
    expect(findPii('ada@example.com, +44 20 7946 0958', new Set(['phone'])).map(({ kind }) => kind)).toEqual([
      'phone',
    ])
  })

  it('returns more findings than a function call accepts as arguments', () => {
    expect(findPii('a@b.cc '.repeat(149_000))).toHaveLength(149_000)
  })

  it('finds a card after a row of digits that is too long', () => {
    expect(foundIn(`${'1-'.repeat(40)}4111 1111 1111 1111`)).toEqual([['card', '4111 1111 1111 1111']])
    expect(foundIn('11112222333344445555 4111 1111 1111 1111')).toEqual([['card', '4111 1111 1111 1111']])
  })
})

describe('a card among other numbers', () => {
  it.each([
    ['card ', '4111 1111 1111 1111', ' 12/27'],
    ['', '4111 1111 1111 1111', ' 123'],
    ['', '4111111111111111', ' 12/27 123'],
    ['', '4111-1111-1111-1111', ' 2027-12'],
    ['', '4111-1111-1111-1111', '-123'],
    ['', '3782 822463 10005', ' 1234'],
    ['1 ', '4111111111111111', ''],
    ['id 77 ', '4111111111111111', ' 9'],
    ['2024 ', '4111111111111111', ''],
    ['77 ', '4111 1111 1111 1111', ' 9'],
    ['card 2024 ', '4111 1111 1111 1111', ''],
    ['card ', '41111 11111 11111 1', ' 12/27'],
  ])('is found: %s%s%s', (before, value, after) => {
    expect(foundIn(before + value + after)).toEqual([['card', value]])
  })

  it('is found every time it occurs', () => {
    const cards = ['5555 5555 5555 4444', '4111 1111 1111 1111', '4012888888881881']
    const text = cards.join(' ')
    expect(findCards(text).map(({ start, end }) => text.slice(start, end))).toEqual(cards)
  })

  it.each([
    ['a fraction', '0.4111111111111111'],
    ['a number with a fraction', '4111111111111111.5'],
    ['fractions', '4111.1111 1111.1111'],
    ['groups of another table', '0 411 111 111 111 111 1'],
    ['fours that begin in the middle of four others', '1000 4111 1111 1111 1111 1000'],
    ['part of a word', '4111 1111 1111 1111x'],
  ])('is not found in %s', (_, text) => {
    expect(foundIn(text)).toEqual([])
  })
})

describe('the separator between groups of a number', () => {
  it.each(['\u00A0', '\u202F', '\u2007', '  ', '.', '\u2011', '–', ' - ', ' – '])('may be %j', gap => {
    for (const [rule, groups] of [
      ['card', '4111 1111 1111 1111'],
      ['iban', 'DE89 3704 0044 0532 0130 00'],
      ['iban', 'GB82 WEST 1234 5698 7654 32'],
    ] as const) {
      const value = groups.replaceAll(' ', gap)
      expect(foundIn(`to ${value} at once`)).toEqual([[rule, value]])
    }
  })
})

describe('rows of numbers', () => {
  it.each(['4111 ', '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1,', '4\u00A0', '4', '4111 1111 1111 1112 '])(
    'are searched for cards quickly: %j',
    piece => {
      const text = piece.repeat(1_000_000 / piece.length)
      const before = process.cpuUsage()
      expect(findCards(text)).toEqual([])
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1e6).toBeLessThan(2)
    },
  )
})

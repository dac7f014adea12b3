import { describe, expect, it } from 'vitest'
import { findPii } from './find-pii.ts'

function foundIn(text: string): readonly (readonly [rule: string, text: string])[] {
  return findPii(text).map(({ rule, start, end }) => [rule, text.slice(start, end)] as const)
}

describe('brackets without number', () => {
  it.each(['(', ' (', '+('])('take no longer than they are long: %j', piece => {
    const text = `1234 ${piece.repeat(300_000 / piece.length)}x`
    const before = process.cpuUsage()
    expect(findPii(text)).toEqual([])
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(3)
  })
})

describe('finding personal data', () => {
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
  ])('finds %s without a word around it', (rule, value) => {
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
  ])('leaves %s alone', (_, text) => {
    expect(foundIn(text)).toEqual([])
  })

  it('looks for some kinds only when told', () => {
    expect(findPii('ada@example.com, +44 20 7946 0958', new Set(['phone'])).map(({ kind }) => kind)).toEqual([
      'phone',
    ])
  })

  it('finds more than a call can be given at once', () => {
    expect(findPii('a@b.cc '.repeat(149_000))).toHaveLength(149_000)
  })

  it('finds the card behind a row of digits that is too long for one', () => {
    expect(foundIn(`${'1-'.repeat(40)}4111 1111 1111 1111`)).toEqual([])
    expect(foundIn('11112222333344445555 4111 1111 1111 1111')).toEqual([['card', '4111 1111 1111 1111']])
  })
})

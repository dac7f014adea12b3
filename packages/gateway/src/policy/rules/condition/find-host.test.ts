import { describe, expect, it } from 'vitest'
import { findHost, isBelow, normaliseDomain } from './functions.ts'

describe('findHost()', () => {
  it.each([
    ['ann@corp.example', 'corp.example'],
    [' Ann@CORP.Example. ', 'corp.example'],
    ['Ann Lee <ann@corp.example>', 'corp.example'],
    ['"Lee, Ann" <ann@corp.example>', 'corp.example'],
    ['<ann@corp.example>', 'corp.example'],
    ['mailto:ann@corp.example?subject=a@b', 'corp.example'],
    ['https://corp.example/path?x=a@b#c', 'corp.example'],
    ['https://good.example@bad.example/', 'bad.example'],
    ['https://corp.example:8443', 'corp.example'],
    ['HTTPS://user:pass@Corp.Example', 'corp.example'],
    ['https://corp.example/@ann/x', 'corp.example'],
    ['https://corp.example/maps/@48.85,2.29,15z', 'corp.example'],
    ['https://corp.example/npm/vue@3.2.1', 'corp.example'],
    ['https://corp.example/a,b;c', 'corp.example'],
    ['mailto:ann@corp.example?subject=a&body=b@c.example', 'corp.example'],
    ['corp.example', 'corp.example'],
    ['corp.example:8080/x', 'corp.example'],
    ['a@bücher.example', 'xn--bcher-kva.example'],
    ['ssh://git@corp.example/x', 'corp.example'],
    ['https://[::1]:80/', '[::1]'],
    ['http://0x7f.1/', '127.0.0.1'],
  ])('%s', (text, host) => {
    expect(findHost(text)).toBe(host)
  })

  it.each([
    '',
    'ann@',
    '@corp.example',
    'a@good.example,b@bad.example',
    'a@good.example;b@bad.example',
    'a@good.example b@bad.example',
    '"a@good.example" <b@bad.example>',
    'a@good.example <b@bad.example>',
    '"a@good.example"@bad.example',
    'b@bad.example\r\nBcc: c@worse.example',
    'https://good.example\\@bad.example',
    'https://bad.example\\.good.example',
    'a@good.example/../bad.example',
    'a@good.example%00.bad.example',
    'a@good.\u200bexample',
    'javascript:alert(1)',
    'data:text/plain,a@good.example',
    'mailto:ann@good.example?cc=b@bad.example',
    'mailto:ann@good.example?%63c=b@bad.example',
    'mailto:a%2Cb%40bad.example%2C@good.example',
    'mailto:ann@good.example?x=%E0b%40bad.example',
    'mailto:%E0nn@good.example',
    '//good.example/<b@bad.example>',
    'x://good.example/<b@bad.example>',
    'x://good.example/,b@bad.example',
    'https://good.example/;b@bad.example',
    'https://good.example/@bad.example',
    'https://good.example/@bäd.example',
    'https://good.example/,https://bad.example/',
    'bad.example://good.example/',
    'b%bad.example@good.example',
    'bad.example!b@good.example',
    '=?utf-8?q?b=40bad.example=3e?=@good.example',
    'javascript://good.example/%0aalert(1)',
    'file://good.example/etc/passwd',
    'mailto:',
    'mailto:nobody',
    'https://',
    '<https://good.example>',
    `a@${'x'.repeat(5_000)}.example`,
  ])('returns undefined for the ambiguous %j', text => {
    expect(findHost(text)).toBeUndefined()
    expect(() => isBelow(text, 'good.example')).toThrow(/not a single e-mail address, URL or host/)
  })
})

describe('domain()', () => {
  it.each([
    ['a@corp.example', 'corp.example', true],
    ['a@mail.corp.example', 'corp.example', true],
    ['a@mail.corp.example', '*.corp.example', true],
    ['a@corp.example', '@Corp.Example.', true],
    ['a@evilcorp.example', 'corp.example', false],
    ['a@corp.example.evil.test', 'corp.example', false],
    ['https://corp.example.evil.test/corp.example', 'corp.example', false],
    ['a@bücher.example', 'bücher.example', true],
  ])('%s is below %s: %s', (text, domain, expected) => {
    expect(isBelow(text, domain)).toBe(expected)
  })

  it.each(['', '*', ' ', 'a b', 'a/b', '..'])('rejects %j as a domain', domain => {
    expect(normaliseDomain(domain)).toBeUndefined()
  })
})

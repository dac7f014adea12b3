import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAddress, UiAddresses, writeAddress } from './address.ts'

const SERVER = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,20}$/)
const URI = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.string({ minLength: 1 }),
  fc.constantFrom(
    'file:///a/../b',
    'hintgate://other/file:///x',
    'urn:a:b',
    '%2F',
    'note://{owner}/{+path}{?q}',
  ),
)
const LOCATED = fc.record({ server: SERVER, uri: URI })
const UI = fc.record({ server: SERVER, uri: fc.string({ minLength: 1 }).map(rest => `ui://${rest}`) })
const apps = new UiAddresses(Buffer.alloc(32, 1))

describe('the address of a resource', () => {
  it('is read back exactly, whatever the server and its URI are', () => {
    fc.assert(
      fc.property(LOCATED, one => {
        expect(readAddress(writeAddress(one))).toEqual(one)
      }),
    )
  })

  it('is never shared by two resources', () => {
    fc.assert(
      fc.property(LOCATED, LOCATED, (a, b) => {
        fc.pre(a.server !== b.server || a.uri !== b.uri)
        expect(writeAddress(a)).not.toBe(writeAddress(b))
      }),
    )
  })

  it('has one spelling: what it stands for is written as the same address again', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map(rest => `hintgate://${rest}`),
        ),
        address => {
          const located = readAddress(address)
          if (located !== undefined) expect(writeAddress(located)).toBe(address)
        },
      ),
    )
  })

  it('keeps the expressions of a template, so that an expanded template is the address of the resource', () => {
    const template = writeAddress({ server: 'notes', uri: 'note://{owner}/{+path}' })
    const expanded = template.replace('{owner}', 'ada%20l').replace('{+path}', 'a/b%2Fc?d')
    expect(readAddress(expanded)).toEqual({ server: 'notes', uri: 'note://ada%20l/a/b%2Fc?d' })
  })

  it.each([
    '',
    'hintgate://',
    'hintgate:///x',
    'hintgate://files',
    'hintgate://files/',
    'HINTGATE://files/x',
    'x',
  ])('is not read from %j', address => expect(readAddress(address)).toBeUndefined())

  it("stays an address of its own server if the server's URI looks like another server's address", () => {
    const uri = writeAddress({ server: 'bank', uri: 'file:///secret' })
    expect(readAddress(writeAddress({ server: 'liar', uri }))).toEqual({ server: 'liar', uri })
  })
})

describe('the address of an app', () => {
  it('is read back exactly, and hosts can render it', () => {
    fc.assert(
      fc.property(UI, one => {
        const address = apps.write(one) ?? ''
        expect(address.startsWith('ui://')).toBe(true)
        expect(apps.read(address)).toEqual(one)
      }),
    )
  })

  it('is not read if any character of it was changed', () => {
    const address = apps.write({ server: 'clock', uri: 'ui://get-time/app.html' }) ?? ''
    fc.assert(
      fc.property(fc.nat(address.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, other) => {
        fc.pre(address[at] !== other)
        expect(apps.read(address.slice(0, at) + other + address.slice(at + 1))).toBeUndefined()
      }),
    )
  })

  it('is not read with the tag of another server, another resource or another gateway', () => {
    const uri = 'ui://get-time/app.html'
    const tagOf = (address = '') => address.split('/')[4] ?? ''
    const write = (server: string, tag: string, rest: string) => `ui://hintgate/${server}/${tag}/${rest}`
    const tag = tagOf(apps.write({ server: 'clock', uri }))
    expect(apps.read(write('clock', tag, 'get-time/app.html'))).toEqual({ server: 'clock', uri })
    expect(apps.read(write('bank', tag, 'get-time/app.html'))).toBeUndefined()
    expect(apps.read(write('clock', tag, 'other/app.html'))).toBeUndefined()
    const elsewhere = tagOf(new UiAddresses(Buffer.alloc(32, 2)).write({ server: 'clock', uri }))
    expect(apps.read(write('clock', elsewhere, 'get-time/app.html'))).toBeUndefined()
  })

  it('cannot move a slash from the server to the URI', () => {
    const address = apps.write({ server: 'a', uri: 'ui://b/c' }) ?? ''
    const [, , , , tag = ''] = address.split('/')
    expect(apps.read(`ui://hintgate/a/${tag}/b/c`)).toBeDefined()
    expect(apps.read(`ui://hintgate/a/ui:/${tag}/b/c`)).toBeUndefined()
  })

  it.each(['https://clock/app', 'file:///ui://x', 'ui://', 'UI://x'])('is not made from %s', uri =>
    expect(apps.write({ server: 'clock', uri })).toBeUndefined(),
  )
})

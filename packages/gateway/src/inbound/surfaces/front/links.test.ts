import { expect, it } from 'vitest'
import { withAddresses } from './links.ts'

const toAddress = (uri: string) => `at:${uri}`
const LINK = { type: 'resource_link', uri: 'u', name: 'n' }
const EMBEDDED = { type: 'resource', resource: { uri: 'u', text: 'see u' } }

it('gives links, embedded resources and contents their addresses, and leaves the rest', () => {
  const text = { type: 'text', text: 'u' }
  expect(
    withAddresses({ content: [text, LINK, EMBEDDED], structuredContent: { uri: 'u' } }, toAddress),
  ).toEqual({
    content: [text, { ...LINK, uri: 'at:u' }, { type: 'resource', resource: { uri: 'at:u', text: 'see u' } }],
    structuredContent: { uri: 'u' },
  })
  expect(withAddresses({ contents: [{ uri: 'u', text: 'u' }] }, toAddress)).toEqual({
    contents: [{ uri: 'at:u', text: 'u' }],
  })
})

it('finds the content of a message, alone or in a list', () => {
  expect(
    withAddresses({ messages: [{ role: 'user', content: LINK }, { content: [EMBEDDED] }] }, toAddress),
  ).toEqual({
    messages: [
      { role: 'user', content: { ...LINK, uri: 'at:u' } },
      { content: [{ type: 'resource', resource: { uri: 'at:u', text: 'see u' } }] },
    ],
  })
})

it.each([
  {},
  { content: 'u' },
  { content: [null, 7, { type: 'resource' }, { type: 'resource_link', uri: 7 }] },
  { contents: [{ text: 'no uri' }], messages: [null, { content: null }, { content: [1] }] },
])('returns the same object if there is nothing to change: %j', result =>
  expect(withAddresses(result, toAddress)).toBe(result),
)

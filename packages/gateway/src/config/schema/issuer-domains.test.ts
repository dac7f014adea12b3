import { expect, it } from 'vitest'
import { findDomains } from './oauth-schema.ts'

it('names an issuer by its host, as long as no other is there', () => {
  expect(findDomains(['https://id.example/realms/a', 'https://login.example:8443/'])).toEqual([
    'id.example',
    'login.example:8443',
  ])
})

it('tells issuers of one host apart by their paths, and leaves the others as they are', () => {
  const issuers = [
    'https://id.example',
    'https://ID.example/b/',
    'https://id.example/b',
    'https://c.example/x',
  ]
  expect(findDomains(issuers)).toEqual(['id.example', 'id.example/b', 'id.example/b', 'c.example'])
})

it('has no place for another @: where a name ends is clear', () => {
  const [first, second] = findDomains(['https://id.example', 'https://id.example/x@id.example'])
  expect(`eve@id.example/x@${first}`).not.toBe(`eve@${second}`)
})

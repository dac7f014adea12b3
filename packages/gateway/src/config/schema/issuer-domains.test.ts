import { expect, it } from 'vitest'
import { findDomains } from './oauth-schema.ts'

it('names an issuer by its host when no other shares it', () => {
  expect(findDomains(['https://id.example/realms/a', 'https://login.example:8443/'])).toEqual([
    'id.example',
    'login.example:8443',
  ])
})

it('adds the path only for issuers that share a host', () => {
  const issuers = [
    'https://id.example',
    'https://ID.example/b/',
    'https://id.example/b',
    'https://c.example/x',
  ]
  expect(findDomains(issuers)).toEqual(['id.example', 'id.example/b', 'id.example/b', 'c.example'])
})

it('escapes @, so that the end of a name is unambiguous', () => {
  const [first, second] = findDomains(['https://id.example', 'https://id.example/x@id.example'])
  expect(`eve@id.example/x@${first}`).not.toBe(`eve@${second}`)
})

import { describe, expect, it } from 'vitest'
import { mapClaims } from './map-claims.ts'

const ISSUER = {
  issuer: 'https://id.example',
  domain: 'id.example',
  audiences: [],
  algorithms: [],
  clockSkewMs: 0,
  nameClaim: 'sub',
  grants: [{ when: {}, kind: 'person', scope: { permissions: [], servers: [] } }],
} as const
const map = (sub: unknown, domain = ISSUER.domain as string) => mapClaims({ sub }, { ...ISSUER, domain })

describe('the name in a token', () => {
  it.each(['robot', 'Ada Lovelace', 'ada@a.example', 'auth0|5f7', 'agent-1/x', '李', '%0A', '\\n'])(
    'is used unchanged: %s',
    name => expect(map(name)).toMatchObject({ id: `person:${name}@id.example`, name: `${name}@id.example` }),
  )

  it.each([
    [7],
    [''],
    ['a\nb'],
    ['a\u2028b'],
    ['\u001b[2Ja'],
    ['a\u009b31m'],
    ['a\u202Eb'],
    ['a\u200Bb'],
    ['a\u0000'],
    ['\ud800'],
    ['a\u3164'],
  ])('is rejected if it cannot be shown unchanged: %j', name => {
    expect(map(name)).toBe('no_name')
  })

  it('can be as long as the log can store, including the domain', () => {
    const most = 256 - 'person:@id.example'.length
    expect(map('n'.repeat(most))).toMatchObject({ id: expect.stringMatching(/^person:n+@id\.example$/) })
    expect(map('n'.repeat(most + 1))).toBe('no_name')
    expect(map('n', 'd'.repeat(300))).toBe('no_name')
  })
})

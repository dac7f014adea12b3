import { describe, expect, it } from 'vitest'
import { parseTarget } from './find-definition.ts'

describe('a review target', () => {
  it('is a server and a name, which may contain colons', () => {
    expect(parseTarget('notes:read')).toEqual({ typed: 'notes:read', server: 'notes', name: 'read' })
    expect(parseTarget('notes:file:///{path}')).toMatchObject({ server: 'notes', name: 'file:///{path}' })
    expect(parseTarget('notes:*')).toMatchObject({ name: '*' })
    expect(parseTarget('notes:mail@home')).toMatchObject({ name: 'mail@home' })
  })

  it('may end in the fingerprint of a version', () => {
    expect(parseTarget('notes:read@1A2B3C4D')).toMatchObject({ name: 'read', fingerprint: '1a2b3c4d' })
    expect(parseTarget(`notes:a@b@${'f'.repeat(64)}`)).toMatchObject({ name: 'a@b' })
  })

  it('never means a tool whose name imitates another one with its fingerprint', () => {
    expect(parseTarget('notes:read@1a2b3c4d@99887766')).toMatchObject({
      name: 'read@1a2b3c4d',
      fingerprint: '99887766',
    })
    expect(parseTarget('notes:read@1a2b3c4d')).not.toMatchObject({ name: 'read@1a2b3c4d' })
  })

  it.each(['read', ':read', 'notes:', 'notes:@1a2b3c4d', 'notes:read@1a2b3c4', 'notes:*@1a2b3c4d', ''])(
    'is rejected as %j',
    typed => {
      expect(parseTarget(typed)).toMatchObject({ isUsage: true, message: expect.stringContaining(typed) })
    },
  )
})

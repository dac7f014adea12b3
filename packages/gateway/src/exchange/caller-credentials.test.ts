import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { readCredentials } from './caller-credentials.ts'

it('finds the credential of each server, in any case', () => {
  const found = readCredentials([
    'Host',
    'x',
    'X-Hintgate-Credential-CRM',
    ' Bearer a ',
    'x-hintgate-credential-b',
    'k',
  ])
  expect([found?.for('crm'), found?.for('B'), found?.for('c')]).toEqual(['Bearer a', 'k', undefined])
})

it('leaves out a credential that is repeated, empty or very long', () => {
  const found = readCredentials([
    ...['x-hintgate-credential-a', '1', 'X-Hintgate-Credential-A', '2', 'x-hintgate-credential-b', ''],
    ...['x-hintgate-credential-c', 'x'.repeat(9000), 'x-hintgate-credential-', 'y'],
  ])
  expect(['a', 'b', 'c', ''].map(server => found?.for(server))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

it('finds nothing in a usual request', () => {
  expect(readCredentials(['Host', 'x', 'Authorization', 'Bearer y'])).toBeUndefined()
})

it('prints nothing of a credential', () => {
  const found = readCredentials(['x-hintgate-credential-a', 'SECRET-1234'])
  expect(`${JSON.stringify({ found })} ${inspect({ found }, { depth: 9, showHidden: true })}`).not.toContain(
    'SECRET',
  )
})

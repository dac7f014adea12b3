import { expect, it } from 'vitest'
import { isCodeName } from './is-code-name.ts'

it.each([
  'AccessTokenTTL',
  'grant.getOIDCScopeFiltered',
  'import_v410.z.number',
  'utils$1.getSafeProp',
  'StoredOAuthTokens',
  'exports.rememberX509Credential',
  'test_buffers_1.default.authenticationMD5Password',
])('recognises the identifier: %s', text => {
  expect(isCodeName(text)).toBe(true)
})

it.each([
  'k3Jd9sLq2Zx7Vb5Nm1Rt8Yw4Pc6Hf0Ga',
  'qWzXvLmKtRbNcYpJhGfD',
  'qwzx.vlmk.trbn.cypj',
  'JBSWYQDPEHPKXPXP',
  'deadbeefcafe1234',
  'Summer2024Sale',
  'correct-horse-battery-staple',
  '9f8a7b6c5d4e3f2a',
  '',
])('rejects: %s', text => {
  expect(isCodeName(text)).toBe(false)
})

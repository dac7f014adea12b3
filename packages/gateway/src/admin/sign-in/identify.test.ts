import { expect, it } from 'vitest'
import { readCookie } from './identify.ts'

it('finds a cookie by its complete name, in any position', () => {
  const header = 'hintgate_session_old=a; x=hintgate_session=b;  hintgate_session=c=d ; hintgate_session=e'
  expect(readCookie(header, 'hintgate_session')).toBe('c=d')
  expect(readCookie(header, 'hintgate')).toBeUndefined()
  expect(readCookie('hintgate_oidc=', 'hintgate_oidc')).toBe('')
  expect(readCookie(undefined, 'hintgate_oidc')).toBeUndefined()
})

import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSecretKey } from './secret-key.ts'

describe('the secret key', () => {
  let folder: string
  let home: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-key-'))
    home = join(folder, 'home')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (content: Uint8Array | string, mode = 0o600) => {
    home = folder
    writeFileSync(join(folder, 'secret.key'), content, { mode })
    chmodSync(join(folder, 'secret.key'), mode)
  }

  it('is created at the first start, readable by this user only, and kept', () => {
    const key = loadSecretKey(home)
    expect(key).toHaveLength(32)
    expect(loadSecretKey(home)).toEqual(key)
    expect(readFileSync(join(home, 'secret.key'))).toEqual(key)
    expect(statSync(join(home, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(statSync(home).mode & 0o777).toBe(0o700)
    expect(readdirSync(home)).toEqual(['secret.key'])
  })

  it('differs in every home', () => {
    expect(loadSecretKey(home)).not.toEqual(loadSecretKey(join(folder, 'other')))
  })

  it.each([0o640, 0o604, 0o666])('is refused if other users can read it (%o)', mode => {
    write(Buffer.from(Array.from({ length: 32 }, (_, i) => (i * 89) % 251)), mode)
    expect(() => loadSecretKey(home)).toThrow(expect.objectContaining({ code: 'secret_key_exposed' }))
  })

  it.each([
    ['empty', ''],
    ['too short', Buffer.from(Array.from({ length: 31 }, (_, i) => (i * 89) % 251))],
    ['all zeros', Buffer.alloc(32)],
    ['all the same', Buffer.alloc(64, 0xaa)],
    ['counting', Buffer.from(Array.from({ length: 32 }, (_, i) => i))],
    ['a default', 'please-change-me-before-production'],
    ['a password', 'correct horse battery staple password'],
  ])('is refused if it is %s', (_, content) => {
    write(content)
    expect(() => loadSecretKey(home)).toThrow(expect.objectContaining({ code: 'secret_key_weak' }))
    expect(readFileSync(join(folder, 'secret.key'))).toEqual(Buffer.from(content))
  })

  it('is read from the environment for replicas', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, i) => (i * 89) % 251))
    for (const encoding of ['base64', 'base64url', 'hex'] as const)
      expect(loadSecretKey(home, { HINTGATE_SECRET_KEY: `${key.toString(encoding)}\n` })).toEqual(key)
    write(key, 0o640)
    const shared = join(folder, 'secret.key')
    expect(loadSecretKey(join(folder, 'other'), { HINTGATE_SECRET_KEY_FILE: shared })).toEqual(key)
  })

  it.each([
    ['weak', { HINTGATE_SECRET_KEY: 'change-me' }, 'secret_key_weak'],
    ['empty', { HINTGATE_SECRET_KEY: '' }, 'secret_key_weak'],
    ['nowhere', { HINTGATE_SECRET_KEY_FILE: '/nowhere/at/all' }, 'secret_key_unreadable'],
  ])('is never replaced if it is configured but %s', (_, env, code) => {
    expect(() => loadSecretKey(home, env)).toThrow(expect.objectContaining({ code }))
  })

  it('fails with a code if it cannot be created', () => {
    writeFileSync(join(folder, 'home'), 'a file in the way')
    expect(() => loadSecretKey(home)).toThrow(expect.objectContaining({ code: 'secret_key_unreadable' }))
  })
})

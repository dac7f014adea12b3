import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { ConsoleTokens } from './console-tokens.ts'
import { createTokens } from './tokens.ts'

const KEY = Buffer.from('k'.repeat(32))
const MINUTE = 60_000

describe('the way into the console', () => {
  let folder: string
  let store: Store
  let clock: number
  let people: ConsoleTokens
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-console-'))
    store = openSqliteStore(join(folder, 'store.db'))
    clock = 1_000_000
    people = new ConsoleTokens({ store, key: KEY, now: () => clock })
  })
  afterEach(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  it('is a code that is good once and for ten minutes', async () => {
    const code = await people.createCode('ada', 'approver')
    expect(await people.exchange(code)).toMatchObject({ person: 'ada', role: 'approver' })
    expect(await people.exchange(code)).toBeUndefined()
    const late = await people.createCode('ada', 'admin')
    clock += 10 * MINUTE
    expect(await people.exchange(late)).toBeUndefined()
    expect(await people.exchange('anything')).toBeUndefined()
  })

  it('is not a token: what one opens, the other does not', async () => {
    const tokens = createTokens({ store, key: KEY, now: () => clock })
    const { token } = await tokens.mint('bob', { permissions: [], servers: [] }, { kind: 'person' })
    const code = await people.createCode('ada', 'admin')
    expect(await people.exchange(token)).toBeUndefined()
    expect(await tokens.authenticate(code)).toEqual({ code: 'unknown' })
    expect(await tokens.authenticateSession(code)).toEqual({ code: 'unknown' })
    const { session = '' } = (await people.exchange(code)) ?? {}
    expect(await tokens.authenticate(session)).toEqual({ code: 'unknown' })
    expect(tokens.recall(session)).toBeUndefined()
    expect(await tokens.authenticateSession(token)).toEqual({ code: 'unknown' })
    expect(await tokens.authenticateSession(session)).toMatchObject({
      id: 'person:ada',
      scope: { role: 'admin' },
    })
    await people.endSession(
      (await store.tokens.list()).find(({ scope }) => scope.console?.kind === 'session')?.hash ?? '',
    )
    expect(await tokens.authenticateSession(session)).toEqual({ code: 'revoked' })
  })

  it('ends after twelve hours', async () => {
    const tokens = createTokens({ store, key: KEY, now: () => clock })
    const { session = '' } = (await people.exchange(await people.createCode('ada', 'viewer'))) ?? {}
    clock += 12 * 60 * MINUTE
    expect(await tokens.authenticateSession(session)).toEqual({ code: 'expired' })
  })

  it('fills no table, however often it is gone', async () => {
    for (let day = 0; day < 20; day++) {
      await people.exchange(await people.createCode('ada', 'admin'))
      await people.createCode('ada', 'admin')
      clock += 24 * 60 * MINUTE
    }
    expect((await store.tokens.list()).length).toBeLessThan(5)
  })
})

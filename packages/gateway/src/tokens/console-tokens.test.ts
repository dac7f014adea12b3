import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Grant, OAuthConfig } from '../config/schema/oauth-config.ts'
import type { Role } from '../scope/role.ts'
import type { Principal, Vouched } from '../scope/scope.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { ConsoleTokens } from './console-tokens.ts'
import { vouch } from './oauth/map-claims.ts'
import { createTokens } from './tokens.ts'

const KEY = Buffer.from('k'.repeat(32))
const MINUTE = 60_000

describe('console sign-in', () => {
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

  it('uses a code that works once and for ten minutes', async () => {
    const code = await people.createCode('ada', 'approver')
    expect(await people.exchange(code)).toMatchObject({ person: 'ada', role: 'approver' })
    expect(await people.exchange(code)).toBeUndefined()
    const late = await people.createCode('ada', 'admin')
    clock += 10 * MINUTE
    expect(await people.exchange(late)).toBeUndefined()
    expect(await people.exchange('anything')).toBeUndefined()
  })

  describe('with two gateways on one store', () => {
    /** A store that reads immediately, but delays each write until `go` is called. */
    const slow = () => {
      let go = (): void => {}
      const held = new Promise<void>(resolve => (go = resolve))
      const tokens: Store['tokens'] = {
        ...store.tokens,
        revoke: (name, at) => held.then(() => store.tokens.revoke(name, at)),
        revokeHash: (hash, at) => held.then(() => store.tokens.revokeHash(hash, at)),
      }
      return { go, people: new ConsoleTokens({ store: { ...store, tokens }, key: KEY, now: () => clock }) }
    }

    it.each([0, 11])('accepts a code once if the other gateway is %s minutes late', async minutes => {
      const other = slow()
      const code = await people.createCode('ada', 'admin')
      const second = other.people.exchange(code)
      const { session = '' } = (await people.exchange(code)) ?? {}
      clock += minutes * MINUTE
      // The code's row has been reused for another person by now.
      const { session: next = '' } = (await people.exchange(await people.createCode('bob', 'admin'))) ?? {}
      other.go()
      expect(await second).toBeUndefined()
      const tokens = createTokens({ store, key: KEY, now: () => clock })
      expect(await tokens.authenticateSession(session)).toMatchObject({ id: 'person:ada' })
      expect(await tokens.authenticateSession(next)).toMatchObject({ id: 'person:bob' })
    })
  })

  it('accepts no session as an agent token, and no agent token as a session', async () => {
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

  describe('with an issuer', () => {
    const VOUCHED = { issuer: 'https://id.example', claims: { sub: 'ada', groups: ['security'] } }
    const grant = (when: Record<string, string>, role: Role): Grant => ({
      when,
      kind: 'person',
      scope: { permissions: [], servers: [], role },
    })
    const configOf = (...grants: Grant[]): OAuthConfig => {
      const issuer = {
        issuer: 'https://id.example',
        domain: 'id.example',
        audiences: [],
        algorithms: [],
        clockSkewMs: 0,
        nameClaim: 'sub',
        grants,
      }
      return {
        resource: 'https://mcp.example',
        issuers: [issuer],
        console: { issuer, clientId: 'c', scope: 'openid' },
      }
    }

    it('grants the role that the config currently allows', async () => {
      const oauth = configOf(grant({ groups: 'security' }, 'approver'))
      const tokens = createTokens({ store, key: KEY, now: () => clock, oauth })
      const code = await people.createCode('ada@id.example', 'approver', VOUCHED)
      const { session = '' } = (await people.exchange(code)) ?? {}
      const signedIn = await tokens.authenticateSession(session)
      expect(signedIn).toMatchObject({ id: 'person:ada@id.example', scope: { role: 'approver' } })
      tokens.configure({ oauth: configOf(grant({ groups: 'security' }, 'viewer')) })
      expect(await tokens.authenticateSession(session)).toMatchObject({ scope: { role: 'viewer' } })
      expect(await tokens.recheck(signedIn as Principal)).toMatchObject({ scope: { role: 'viewer' } })
      const { console: _, ...withoutConsole } = oauth
      for (const gone of [configOf(grant({ groups: 'others' }, 'admin')), withoutConsole, undefined]) {
        tokens.configure({ oauth: gone })
        expect(await tokens.authenticateSession(session)).toEqual({ code: 'revoked' })
        expect(await tokens.recheck(signedIn as Principal)).toEqual({ code: 'revoked' })
      }
    })

    it('must be repeated if the config requires a claim that was not requested', async () => {
      const oauth = configOf(grant({ dismissed: 'yes' }, 'viewer'), grant({ groups: 'security' }, 'admin'))
      const tokens = createTokens({ store, key: KEY, now: () => clock, oauth })
      const enter = async (vouched: Vouched) => {
        const code = await people.createCode('ada@id.example', 'admin', vouched)
        return tokens.authenticateSession((await people.exchange(code))?.session ?? '')
      }
      expect(await enter(VOUCHED)).toEqual({ code: 'revoked' })
      const [issuer] = oauth.issuers
      if (issuer === undefined) throw new Error('there is no issuer')
      const asked = vouch({ ...VOUCHED.claims, email: 'ada@a.example' }, issuer)
      expect(asked.claims).toEqual({ ...VOUCHED.claims, dismissed: null })
      expect(await enter(asked)).toMatchObject({ scope: { role: 'admin' } })
    })
  })

  it('reuses rows, however often people sign in', async () => {
    for (let day = 0; day < 20; day++) {
      await people.exchange(await people.createCode('ada', 'admin'))
      await people.createCode('ada', 'admin')
      clock += 24 * 60 * MINUTE
    }
    expect((await store.tokens.list()).length).toBeLessThan(5)
  })
})

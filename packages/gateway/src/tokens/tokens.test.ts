import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Principal, Scope } from '../scope/scope.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { createTokens, isRefusal, type Tokens } from './tokens.ts'

const READ: Scope = { permissions: ['call_tool_read'], servers: ['crm'] }
const WIDE: Scope = { permissions: ['call_tool_destructive'], servers: ['*'] }
const KEY = Buffer.from('k'.repeat(32))
const GIVEN = 'a-secret-from-the-environment-0123456789'

describe('tokens', () => {
  let folder: string
  let store: Store
  let clock: number
  let tokens: Tokens
  const open = () => openSqliteStore(join(folder, 'store.db'))
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-tokens-'))
    store = open()
    clock = 1_000_000
    tokens = createTokens({ store, key: KEY, now: () => clock })
  })
  afterEach(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  const principalOf = async (token: string): Promise<Principal> => {
    const answer = await tokens.authenticate(token)
    if (isRefusal(answer)) throw new Error(`refused: ${answer.code}`)
    return answer
  }

  it('authenticate with the scope they were created with', async () => {
    const { token } = await tokens.mint('bot', READ)
    expect(token).toMatch(/^hg_agent_[\w-]{43}$/)
    expect(await principalOf(token)).toMatchObject({
      id: 'agent:bot',
      name: 'bot',
      kind: 'agent',
      scope: READ,
    })
  })

  it('of people have a different prefix and kind', async () => {
    const { token } = await tokens.mint('ann', READ, { kind: 'person' })
    expect(token).toMatch(/^hg_admin_[\w-]{43}$/)
    expect(await principalOf(token)).toMatchObject({ id: 'person:ann', kind: 'person' })
  })

  it('stop working immediately after a change by this process, even with a long check interval', async () => {
    tokens = createTokens({ store, key: KEY, now: () => clock, checkEveryMs: 3_600_000 })
    const { token } = await tokens.mint('bot', READ)
    await principalOf(token)
    const { token: rotated } = await tokens.rotate('bot')
    expect(tokens.recall(token)).toBeUndefined()
    expect(await tokens.authenticate(token)).toEqual({ code: 'unknown' })
    await principalOf(rotated)
    await tokens.revoke('bot')
    expect(tokens.recall(rotated)).toBeUndefined()
    expect(await tokens.authenticate(rotated)).toEqual({ code: 'revoked' })
  })

  it('stay valid until something changes, even if admitted after that', async () => {
    const { token } = await tokens.mint('bot', READ, { expiresAt: clock + 1000 })
    const before = await principalOf(token)
    expect([tokens.isAsBefore(before), tokens.isAsBefore({ ...before })]).toEqual([true, false])
    tokens.configure({})
    expect(tokens.isAsBefore(before)).toBe(false)
    const now = await principalOf(token)
    expect([tokens.isAsBefore(before), tokens.isAsBefore(now)]).toEqual([false, true])
    const other = open()
    await createTokens({ store: other, key: KEY }).revoke('bot')
    await other.close()
    expect(tokens.isAsBefore(now)).toBe(false)
    const { token: short } = await tokens.mint('short', READ, { expiresAt: clock + 1000 })
    const soonOver = await principalOf(short)
    expect(tokens.isAsBefore(soonOver)).toBe(true)
    clock += 1000
    expect(tokens.isAsBefore(soonOver)).toBe(false)
  })

  it('are not in the store, not even in part', async () => {
    const { token, stored } = await tokens.mint('bot', READ)
    await principalOf(token)
    const bytes = ['store.db', 'store.db-wal']
      .map(name => readFileSync(join(folder, name), 'latin1'))
      .join('')
    expect(bytes).toContain(stored.hash)
    expect(bytes).not.toContain(token.slice(14))
  })

  it('are unknown under another key', async () => {
    const { token } = await tokens.mint('bot', READ)
    const stranger = createTokens({ store, key: Buffer.from('x'.repeat(32)), now: () => clock })
    expect(await stranger.authenticate(token)).toEqual({ code: 'unknown' })
  })

  it('that were never created are unknown, and other texts are malformed', async () => {
    expect(await tokens.authenticate(`hg_agent_${'A'.repeat(43)}`)).toEqual({ code: 'unknown' })
    for (const text of [
      '',
      'Bearer',
      'hg_agent_',
      `hg_agent_${'A'.repeat(42)}`,
      `hg_agent_${'A'.repeat(44)}`,
    ])
      expect(await tokens.authenticate(text), text).toEqual({ code: 'malformed' })
    expect(await tokens.authenticate(`hg_agent_${'A'.repeat(43)}\n`)).toEqual({ code: 'malformed' })
  })

  it('with one changed character are unknown, even right after the correct one', async () => {
    const { token } = await tokens.mint('bot', READ)
    await principalOf(token)
    const changed = token.slice(0, 20) + (token[20] === 'A' ? 'B' : 'A') + token.slice(21)
    expect(await tokens.authenticate(changed)).toEqual({ code: 'unknown' })
  })

  it('expire at their time, even if they were just used', async () => {
    const { token } = await tokens.mint('bot', READ, { expiresAt: clock + 1000 })
    clock += 999
    expect(await principalOf(token)).toMatchObject({ expiresAt: clock + 1 })
    clock += 1
    expect(await tokens.authenticate(token)).toEqual({ code: 'expired' })
  })

  it('stop working immediately when revoked, here or by another process', async () => {
    const [here, there] = [await tokens.mint('a', READ), await tokens.mint('b', READ)]
    const other = open()
    await Promise.all([principalOf(here.token), principalOf(there.token)])
    await tokens.revoke('a')
    expect(await tokens.authenticate(here.token)).toEqual({ code: 'revoked' })
    await principalOf(there.token)
    await other.tokens.revoke('b', clock)
    expect(await tokens.authenticate(there.token)).toEqual({ code: 'revoked' })
    await other.close()
  })

  it('get a new secret when rotated, and the old one is unknown immediately', async () => {
    const { token: old } = await tokens.mint('bot', READ, { kind: 'person' })
    const before = await principalOf(old)
    const { token } = await tokens.rotate('bot')
    expect(await tokens.authenticate(old)).toEqual({ code: 'unknown' })
    const after = await principalOf(token)
    expect(token).toMatch(/^hg_admin_/)
    expect(after).toMatchObject({ id: 'person:bot', scope: READ })
    expect(after.credential).not.toBe(before.credential)
  })

  it('can be checked again while a stream is open', async () => {
    const principal = await principalOf((await tokens.mint('bot', READ, { expiresAt: clock + 1000 })).token)
    expect(await tokens.recheck(principal)).toEqual(principal)
    clock += 1000
    expect(await tokens.recheck(principal)).toEqual({ code: 'expired' })
    await tokens.revoke('bot')
    expect(await tokens.recheck(principal)).toEqual({ code: 'revoked' })
  })

  it('have the scope that the config gives their name, as long as the config has it', async () => {
    const { token } = await tokens.mint('bot', WIDE)
    expect((await principalOf(token)).scope).toEqual(WIDE)
    tokens.configure({ agentTokens: [{ name: 'bot', scope: READ, expiresAt: clock + 10 }] })
    expect(await principalOf(token)).toMatchObject({ scope: READ, expiresAt: clock + 10 })
    tokens.configure({ agentTokens: [] })
    expect((await principalOf(token)).scope).toEqual(WIDE)
  })

  it('of people keep their scope if the config has an agent of that name', async () => {
    const { token } = await tokens.mint('bot', READ, { kind: 'person' })
    tokens.configure({ agentTokens: [{ name: 'bot', scope: WIDE }] })
    expect((await principalOf(token)).scope).toEqual(READ)
  })

  it('in the config work without the store, until they are removed', async () => {
    tokens.configure({ agentTokens: [{ name: 'bot', scope: READ, token: GIVEN, expiresAt: clock + 10 }] })
    const principal = await principalOf(GIVEN)
    expect(principal).toMatchObject({ id: 'agent:bot', scope: READ })
    expect(JSON.stringify(principal)).not.toContain(GIVEN)
    clock += 10
    expect(await tokens.authenticate(GIVEN)).toEqual({ code: 'expired' })
    tokens.configure({ agentTokens: [] })
    expect(await tokens.authenticate(GIVEN)).toEqual({ code: 'malformed' })
    expect(await tokens.recheck(principal)).toEqual({ code: 'unknown' })
  })

  it('need a valid and unused name', async () => {
    await tokens.mint('bot', READ)
    await expect(tokens.mint('bot', READ)).rejects.toMatchObject({ code: 'name_taken' })
    for (const name of ['', 'a b', '../x', 'é', 'x'.repeat(65), '-x', 'x\n'])
      await expect(tokens.mint(name, READ), name).rejects.toMatchObject({ code: 'token_name_invalid' })
  })

  it('that do not exist cannot be revoked or rotated', async () => {
    await expect(tokens.revoke('nobody')).rejects.toMatchObject({ code: 'token_unknown' })
    await expect(tokens.rotate('nobody')).rejects.toMatchObject({ code: 'token_unknown' })
  })

  it('record their last use at most once a minute', async () => {
    const { token } = await tokens.mint('bot', READ)
    const lastUsed = async () => (await store.tokens.findByName('bot'))?.lastUsedAt
    await principalOf(token)
    const first = clock
    expect(await lastUsed()).toBe(first)
    clock += 59_999
    await principalOf(token)
    expect(await lastUsed()).toBe(first)
    clock += 1
    await principalOf(token)
    expect(await lastUsed()).toBe(clock)
  })

  it('are read from the store once, and again only after a change', async () => {
    const { token } = await tokens.mint('bot', READ)
    let reads = 0
    const counting: Store = {
      ...store,
      tokens: {
        ...store.tokens,
        findByHash: hash => {
          reads += 1
          return store.tokens.findByHash(hash)
        },
      },
    }
    const cached = createTokens({ store: counting, key: KEY, now: () => clock })
    for (let i = 0; i < 5; i++) await cached.authenticate(token)
    expect(reads).toBe(1)
    await tokens.mint('other', READ)
    await cached.authenticate(token)
    expect(reads).toBe(2)
  })
})

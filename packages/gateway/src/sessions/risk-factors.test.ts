import { resolveEffective } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import type { CallDeps } from '../call/call-deps.ts'
import type { StoredSession } from '../store/session-store.ts'
import {
  isTouched,
  noteMark,
  prepareRiskFactors,
  riskFactorsFor,
  riskFactorsFromOthers,
} from './risk-factors.ts'
import { SessionMemory } from './session-memory.ts'

const WEB = resolveEffective({
  declared: { hints: { readOnly: true, openWorld: true, sensitive: false } },
  vouched: true,
})

function around(rows: Map<string, StoredSession>, acrossSessions: boolean) {
  const store = {
    find: async (id: string) => rows.get(id),
    save: async (row: StoredSession) => void rows.set(row.id, row),
    list: async () => [],
    reset: async () => false,
    removeBefore: async () => 0,
  }
  const options = { sessions: 100, idleMs: 1000, isShared: false, onError: () => {} }
  const rules = () => ({ confirm: { acrossSessions } })
  return { sessions: new SessionMemory({ ...options, store }), rules } as unknown as CallDeps
}

const walk = (session: string, at = 1) => ({
  session: { session: `agent:bot/${session}`, principal: 'agent:bot' },
  at,
  mark: { tool: 'web:fetch', request: 'r', at },
})

async function touch(deps: CallDeps, session: string) {
  await prepareRiskFactors(walk(session), deps, WEB)
  await noteMark(walk(session), deps, WEB)
}

async function riskFactorsIn(deps: CallDeps, session: string, at = 2) {
  await prepareRiskFactors(walk(session, at), deps)
  return riskFactorsFor(walk(session, at), deps)
}

describe("a session's risk factors", () => {
  it('count in every other session of the caller if sessions count together', async () => {
    const rows = new Map<string, StoredSession>()
    const deps = around(rows, true)
    await touch(deps, 'one')
    const found = await riskFactorsIn(deps, 'two')
    expect(found.riskFactors).toEqual({})
    expect(found.across?.untrusted_content?.tool).toBe('web:fetch')
    // The risk factors also count in another process that only shares the store.
    expect((await riskFactorsIn(around(rows, true), 'three')).across?.untrusted_content?.tool).toBe(
      'web:fetch',
    )
    // The risk factors stop counting once the sessions have been idle for too long.
    expect((await riskFactorsIn(deps, 'four', 5000)).across).toEqual({})
  })

  it('are stored apart from sessions that others can name', async () => {
    const rows = new Map<string, StoredSession>()
    const session = { session: 'agent:bob%2Fteam@id.example', principal: 'agent:bob/team@id.example' }
    await noteMark({ ...walk('one'), session }, around(rows, true), WEB)
    // These ids are stored if a token named `bob` names its session "team@id.example/".
    expect([...rows.keys()].toSorted()).toEqual([
      'agent:bob%2Fteam@id.example',
      'agent:bob%2Fteam@id.example/',
    ])
  })

  it('stay in that session if sessions count separately', async () => {
    const rows = new Map<string, StoredSession>()
    const deps = around(rows, false)
    await touch(deps, 'one')
    expect(await riskFactorsIn(deps, 'two')).toEqual({ riskFactors: {} })
    expect([...rows.keys()]).toEqual(['agent:bot/one'])
  })
})

it('do not count against the call that added them', () => {
  const mark = { tool: 'web:fetch', at: 1, basis: 'declared' } as const
  const riskFactors = {
    untrusted_content: { ...mark, request: 'r1' },
    private_data: { ...mark, request: 'r2' },
  }
  expect(riskFactorsFromOthers('r1', { riskFactors }, { riskFactors: {} })).toEqual({
    riskFactors: { private_data: riskFactors.private_data },
  })
  expect(
    riskFactorsFromOthers('r2', { riskFactors: {}, across: riskFactors }, { riskFactors: {} }).across,
  ).toEqual({
    untrusted_content: riskFactors.untrusted_content,
  })
})

it('count as assumed again if only the call itself confirmed them', () => {
  const mark = { tool: 'notes:read', at: 1 } as const
  const external_communication = { ...mark, request: 'r0', basis: 'declared' } as const
  const before = {
    riskFactors: { external_communication, private_data: { ...mark, request: 'r0', basis: 'assumed' } },
  } as const
  const now = {
    riskFactors: { external_communication, private_data: { ...mark, request: 'r1', basis: 'declared' } },
  } as const
  expect(riskFactorsFromOthers('r1', now, before)).toEqual(before)
})

it('count as changed by other calls, but not by the call itself or its preview', () => {
  const mark = { tool: 'web:fetch', at: 1, basis: 'declared' } as const
  const before = { riskFactors: { external_communication: { ...mark, request: 'r0' } } }
  const by = (request: string) => ({
    riskFactors: { ...before.riskFactors, private_data: { ...mark, request } },
  })
  expect(isTouched(before, before, 'r1')).toBe(false)
  expect(isTouched(by('r1'), before, 'r1')).toBe(false)
  expect(isTouched(by('r1.preview'), before, 'r1')).toBe(false)
  expect(isTouched(by('r2'), before, 'r1')).toBe(true)
  expect(
    isTouched({ ...before, across: by('r2').riskFactors }, { ...before, across: before.riskFactors }, 'r1'),
  ).toBe(true)
})

import { type SessionLegs, showUntrusted, viewRisk } from '@hintgate/metadata'
import { HintgateError } from '../../base/errors.ts'
import type { StoredSession } from '../../store/session-store.ts'
import { layTable } from '../show/lay-table.ts'
import { type PlaceFlags, withDecisions } from '../terminal/context.ts'
import { write } from '../terminal/output.ts'

export interface SessionFlags extends PlaceFlags {
  readonly json?: boolean
}

const MOST = 1000

export function list({ json, ...flags }: SessionFlags): Promise<void> {
  return withDecisions(flags, async ({ store }) => {
    const sessions = (await store.sessions.list(MOST)).map(describe)
    if (json) return write(`${JSON.stringify(sessions, null, 2)}\n`)
    if (sessions.length === 0) return write('No session has touched anything yet.\n')
    const rows = sessions.map(({ id, risk, legs, used }) => [
      showUntrusted(id, 80),
      risk,
      legs.map(({ leg, basis }) => (basis === 'declared' ? leg : `${leg}?`)).join(' '),
      used,
    ])
    await write(`${layTable([['SESSION', 'RISK', 'LEGS (? assumed)', 'LAST USED'], ...rows]).join('\n')}\n`)
  })
}

export function show(id: string, { json, ...flags }: SessionFlags): Promise<void> {
  return withDecisions(flags, async ({ store }) => {
    const found = await store.sessions.find(id)
    if (found === undefined) throw new HintgateError('session_unknown', { id })
    const session = describe(found)
    if (json) return write(`${JSON.stringify(session, null, 2)}\n`)
    const rows = session.legs.map(({ leg, tool, request, at, basis }) => [
      leg,
      showUntrusted(tool, 120),
      basis,
      request,
      at,
    ])
    const head = ['LEG', 'BROUGHT IN BY', 'BASIS', 'REQUEST', 'WHEN']
    const lines = [`${showUntrusted(id, 120)}: risk ${session.risk}`, ...layTable([head, ...rows])]
    await write(`${lines.join('\n')}\n`)
  })
}

export function reset(id: string, { json, ...flags }: SessionFlags): Promise<void> {
  return withDecisions(flags, async ({ store }) => {
    if (!(await store.sessions.reset(id))) throw new HintgateError('session_unknown', { id })
    await write(
      json
        ? `${JSON.stringify({ id, reset: true })}\n`
        : `Forgot what ${showUntrusted(id, 120)} has touched.\n`,
    )
  })
}

function describe({ id, principal, legs, usedAt }: StoredSession) {
  const marks = JSON.parse(legs) as SessionLegs
  return {
    id,
    principal,
    risk: viewRisk(marks).level,
    legs: Object.entries(marks).map(([leg, { tool, request, at, basis }]) => {
      return { leg, tool, request, basis, at: new Date(at).toISOString() }
    }),
    used: new Date(usedAt).toISOString(),
  }
}

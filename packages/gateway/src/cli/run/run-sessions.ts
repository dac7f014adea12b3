import { type SessionLegs, showUntrusted, viewRisk } from '@hintgate/metadata'
import { HintgateError } from '../../base/errors.ts'
import type { StoredSession } from '../../store/session-store.ts'
import { showJson, showTable } from '../show/show-json.ts'
import { type CommonFlags, withDecisions } from '../terminal/context.ts'
import type { Ending } from '../terminal/output.ts'

const MOST = 1000

export function list({ json, ...flags }: CommonFlags): Promise<Ending> {
  return withDecisions(flags, async ({ store }) => {
    const sessions = (await store.sessions.list(MOST)).map(describe)
    if (json) return { out: showJson(sessions) }
    if (sessions.length === 0) return { out: 'No session has touched anything yet.\n' }
    const rows = sessions.map(({ id, risk, legs, used }) => [
      showUntrusted(id, 80),
      risk,
      legs.map(({ leg, basis }) => (basis === 'declared' ? leg : `${leg}?`)).join(' '),
      used,
    ])
    return { out: showTable([['SESSION', 'RISK', 'LEGS (? assumed)', 'LAST USED'], ...rows]) }
  })
}

export function show(id: string, { json, ...flags }: CommonFlags): Promise<Ending> {
  return withDecisions(flags, async ({ store }) => {
    const found = await store.sessions.find(id)
    if (found === undefined) throw new HintgateError('session_unknown', { id })
    const session = describe(found)
    if (json) return { out: showJson(session) }
    const legs = session.legs.map(({ leg, tool, request, at, basis }) => {
      return [leg, showUntrusted(tool, 120), basis, request, at]
    })
    const table = showTable([['LEG', 'BROUGHT IN BY', 'BASIS', 'REQUEST', 'WHEN'], ...legs])
    return { out: `${showUntrusted(id, 120)}: risk ${session.risk}\n${table}` }
  })
}

export function reset(id: string, { json, ...flags }: CommonFlags): Promise<Ending> {
  return withDecisions(flags, async ({ store }) => {
    if (!(await store.sessions.reset(id))) throw new HintgateError('session_unknown', { id })
    const text = `Forgot what ${showUntrusted(id, 120)} has touched.\n`
    return { out: json ? `${JSON.stringify({ id, reset: true })}\n` : text }
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

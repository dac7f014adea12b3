import { type SessionRiskFactors, showUntrusted, viewRisk } from '@hintgate/metadata'
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
    if (sessions.length === 0) return { out: 'No session has touched a risk factor yet.\n' }
    const rows = sessions.map(({ id, risk, riskFactors, used }) => [
      showUntrusted(id, 80),
      risk,
      riskFactors.map(({ factor, basis }) => (basis === 'declared' ? factor : `${factor}?`)).join(' '),
      used,
    ])
    return { out: showTable([['SESSION', 'RISK', 'RISK FACTORS (? assumed)', 'LAST USED'], ...rows]) }
  })
}

export function show(id: string, { json, ...flags }: CommonFlags): Promise<Ending> {
  return withDecisions(flags, async ({ store }) => {
    const found = await store.sessions.find(id)
    if (found === undefined) throw new HintgateError('session_unknown', { id })
    const session = describe(found)
    if (json) return { out: showJson(session) }
    const riskFactors = session.riskFactors.map(({ factor, tool, request, at, basis }) => {
      return [factor, showUntrusted(tool, 120), basis, request, at]
    })
    const table = showTable([['RISK FACTOR', 'TOOL', 'BASIS', 'REQUEST', 'WHEN'], ...riskFactors])
    return { out: `${showUntrusted(id, 120)}: risk ${session.risk}\n${table}` }
  })
}

export function reset(id: string, { json, ...flags }: CommonFlags): Promise<Ending> {
  return withDecisions(flags, async ({ store }) => {
    if (!(await store.sessions.reset(id))) throw new HintgateError('session_unknown', { id })
    const text = `Cleared the risk factors of ${showUntrusted(id, 120)}.\n`
    return { out: json ? `${JSON.stringify({ id, reset: true })}\n` : text }
  })
}

function describe({ id, principal, riskFactors, usedAt }: StoredSession) {
  const marks = JSON.parse(riskFactors) as SessionRiskFactors
  return {
    id,
    principal,
    risk: viewRisk(marks).level,
    riskFactors: Object.entries(marks).map(([factor, { tool, request, at, basis }]) => {
      return { factor, tool, request, basis, at: new Date(at).toISOString() }
    }),
    used: new Date(usedAt).toISOString(),
  }
}

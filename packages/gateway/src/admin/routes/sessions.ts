import { RISK_FACTORS, type SessionRiskFactors, viewRisk } from '@hintgate/metadata'
import { readCalls } from '../../audit/read-calls.ts'
import type { AuditStore } from '../../store/audit-store.ts'
import type { StoredSession } from '../../store/session-store.ts'
import type { Call, Session } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { orMissing } from '../http/problem.ts'
import { describeCalls } from '../views/list-calls.ts'

const MOST = 5000
/** Maximum number of the caller's calls that are searched for the session's calls. */
const LOOKED_AT = 2000
const SHOWN = 300

export function createSessionHandlers({ store }: AdminDeps) {
  const find = async (id: string) => orMissing(await store.sessions.find(id), 'The session does not exist.')
  return {
    async listSessions({ query }) {
      return pageOf(await store.sessions.list(MOST), query, describe)
    },
    async getSession({ params: { id } }) {
      const found = await find(id)
      return { ...describe(found), calls: await findCalls(store.audit, found) }
    },
    async resetSession({ params: { id } }) {
      const found = await find(id)
      await store.sessions.reset(id)
      return describe({ ...found, riskFactors: '{}' })
    },
  } satisfies Partial<Handlers>
}

function describe({ id, principal, riskFactors, usedAt }: StoredSession): Session {
  const marks = JSON.parse(riskFactors) as SessionRiskFactors
  return {
    id,
    principal,
    usedAt,
    level: viewRisk(marks).level,
    riskFactors: RISK_FACTORS.flatMap(factor => {
      const mark = marks[factor]
      return mark === undefined
        ? []
        : [{ factor, tool: mark.tool, request: mark.request, at: mark.at, basis: mark.basis }]
    }),
  }
}

/** Finds the session's calls, oldest first. */
async function findCalls(audit: AuditStore, { id, principal }: StoredSession): Promise<Call[]> {
  const found: Call[] = []
  let looked = 0
  for await (const calls of readCalls(audit, { agent: principal })) {
    found.push(...describeCalls(calls).filter(({ session }) => session === id))
    looked += calls.length
    if (looked >= LOOKED_AT || found.length >= SHOWN) break
  }
  return found.slice(0, SHOWN).toReversed()
}

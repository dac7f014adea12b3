import { Sealer } from '../../audit/sealer.ts'
import { type AuditCall, viewCall } from '../../audit/view-call.ts'
import type { AuditFilter } from '../../store/audit-store.ts'
import type { Input, WholeCall } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import type { Handlers } from '../http/handler.ts'
import { AdminProblem } from '../http/problem.ts'
import { readMoment } from '../http/read-input.ts'
import { ChainCheck } from '../views/chain-check.ts'
import { exportCalls } from '../views/export-calls.ts'
import { describeCall, listCalls } from '../views/list-calls.ts'
import { searchCalls } from '../views/search-calls.ts'

type Names = 'listActivity' | 'getActivity' | 'exportActivity' | 'getChain' | 'verifyChain'

const USUAL = 100

/** What was done: the audit log. */
export function createActivityHandlers({ store, key, version }: AdminDeps): Pick<Handlers, Names> {
  const { audit } = store
  const chain = new ChainCheck(audit, new Sealer(key))
  return {
    async listActivity({ query: { limit = USUAL, cursor, text, ...query } }, { visit }) {
      const request = { ...readFilter(query), limit, ...(cursor === undefined ? {} : { cursor }) }
      if (text === undefined || text === '') return listCalls(audit, request)
      return searchCalls(audit, request, { text, isGone: () => visit.res.closed })
    },
    async getActivity({ params: { request } }) {
      const rows = await audit.find(request)
      const call = viewCall({
        intent: rows.find(({ kind }) => kind === 'intent'),
        ending: rows.find(({ kind }) => kind !== 'intent'),
      })
      if (call === undefined) throw new AdminProblem('not_found', 'There is no record of such a request.')
      return describeWhole(call)
    },
    async exportActivity({ query: { format = 'jsonl', text = '', ...query } }) {
      return exportCalls(audit, readFilter(query), { format, text, version })
    },
    getChain: async () => chain.state,
    verifyChain: () => chain.run(),
  }
}

type Filters = Omit<Input<'listActivity'>['query'], 'limit' | 'cursor' | 'text'>

function readFilter({ agent, since, until, ...rest }: Filters): AuditFilter {
  const now = Date.now()
  const [from, to] = [readMoment(since, now, 'query.since'), readMoment(until, now, 'query.until')]
  const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== '')
  return {
    ...Object.fromEntries(given),
    // Most callers are agents; whoever means somebody else says so.
    ...(agent === undefined || agent === '' ? {} : { agent: agent.includes(':') ? agent : `agent:${agent}` }),
    ...(from === undefined ? {} : { since: from }),
    ...(to === undefined ? {} : { until: to }),
  }
}

function describeWhole(call: AuditCall): WholeCall {
  const { args, argsBytes, reasons, hints, rows, ms: _ms, action: _action, time: _time, ...rest } = call
  const { detail, attempts, door, typed, fingerprint, intent, resultBytes, approval } = rest
  return {
    ...describeCall(call),
    ...defined({ detail, attempts, door, typed, fingerprint, intent, resultBytes, approval }),
    ...defined({ hints, arguments: args, argumentBytes: argsBytes }),
    reasons: (reasons ?? []) as WholeCall['reasons'],
    rows: [...rows],
  }
}

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

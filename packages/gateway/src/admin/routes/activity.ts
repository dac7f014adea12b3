import { setImmediate } from 'node:timers/promises'
import { Sealer } from '../../audit/sealer.ts'
import { hasSeverity } from '../../audit/severity.ts'
import { verifyChains } from '../../audit/verify-chains.ts'
import { type AuditCall, viewCall } from '../../audit/view-call.ts'
import type { AuditFilter, AuditStore } from '../../store/audit-store.ts'
import type { Input, Output, WholeCall } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import type { Handlers } from '../http/handler.ts'
import { orMissing } from '../http/problem.ts'
import { readMoment } from '../http/read-input.ts'
import { describeCall, exportCalls, listCalls, searchCalls } from '../views/list-calls.ts'

const USUAL = 100

export function createActivityHandlers({ store, key, version }: AdminDeps) {
  const { audit } = store
  const chain = new ChainCheck(audit, new Sealer(key))
  return {
    async listActivity({ query: { limit = USUAL, cursor, text, ...query } }, { visit }) {
      const request = { ...readFilter(query), limit, cursor }
      if (text === undefined || text === '') return listCalls(audit, request)
      return searchCalls(audit, request, { text, isGone: () => visit.res.closed })
    },
    async getActivity({ params: { request } }) {
      const rows = await audit.find(request)
      const call = viewCall({
        intent: rows.find(({ kind }) => kind === 'intent'),
        ending: rows.find(({ kind }) => kind !== 'intent'),
      })
      return describeWhole(orMissing(call, 'The audit log contains no request with this id.'))
    },
    async exportActivity({ query: { format = 'jsonl', text = '', ...query } }) {
      return exportCalls(audit, readFilter(query), { format, text, version })
    },
    getChain: async () => chain.state,
    verifyChain: () => chain.run(),
  } satisfies Partial<Handlers>
}

type Filters = Omit<Input<'listActivity'>['query'], 'limit' | 'cursor' | 'text'>

function readFilter({ agent, since, until, severity, ...rest }: Filters): AuditFilter {
  const now = Date.now()
  const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== '')
  return {
    ...Object.fromEntries(given),
    // A name without a prefix is an agent's, because most callers are agents; people need the prefix `person:`.
    agent: !agent || agent.includes(':') ? agent || undefined : `agent:${agent}`,
    since: readMoment(since, now, 'query.since'),
    also: severity === undefined ? undefined : hasSeverity(severity),
    until: readMoment(until, now, 'query.until'),
  }
}

function describeWhole(call: AuditCall): WholeCall {
  const { detail, attempts, door, set, typed, asker, fingerprint, intent, origin, resultBytes, approval } =
    call
  return {
    ...describeCall(call),
    ...{ detail, attempts, door, set, typed, asker, fingerprint, intent, origin, resultBytes, approval },
    ...{ hints: call.hints as WholeCall['hints'], arguments: call.args, argumentBytes: call.argsBytes },
    ...(call.approver && { approver: { ...call.approver, at: Date.parse(call.approver.at) } }),
    ...(call.findings && { findings: [...call.findings] }),
    reasons: (call.reasons ?? []) as WholeCall['reasons'],
    rows: [...call.rows],
  }
}

type ChainState = Output<'getChain'>

const NEVER: ChainState = { isRunning: false, rows: 0, writers: 0, sealed: 0, problemCount: 0, problems: [] }

/** Verifies the log; concurrent requests share one verification. */
class ChainCheck {
  readonly #audit: AuditStore
  readonly #sealer: Sealer
  #last = NEVER
  #running: Promise<ChainState> | undefined

  constructor(audit: AuditStore, sealer: Sealer) {
    this.#audit = audit
    this.#sealer = sealer
  }

  get state(): ChainState {
    return { ...this.#last, isRunning: this.#running !== undefined }
  }

  run(): Promise<ChainState> {
    this.#running ??= this.#verify().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #verify(): Promise<ChainState> {
    const { heads: _, problems, ...found } = await verifyChains(this.#politely(), this.#sealer)
    this.#last = { verifiedAt: Date.now(), isRunning: false, ...found, problems: [...problems] }
    return this.#last
  }

  /** Wraps the store so that verification yields to calls after each slice of the log. */
  #politely(): AuditStore {
    const audit = this.#audit
    return {
      ...audit,
      writers: which => audit.writers(which),
      check: async (after, limit) => {
        await setImmediate()
        return audit.check(after, limit)
      },
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Severity } from '@hintgate/metadata'
import { AUDIT_OUTCOMES } from '../../audit/entry.ts'
import { momentOf } from '../../audit/moment-of.ts'
import { readCalls } from '../../audit/read-calls.ts'
import { hasSeverity } from '../../audit/severity.ts'
import { toOcsf } from '../../audit/to-ocsf.ts'
import { type AuditCall, viewCall } from '../../audit/view-call.ts'
import type { AuditFilter, AuditRow, AuditStore, StoredCall } from '../../store/audit-store.ts'
import { showJson } from '../show/show-json.ts'
import { type CommonFlags, invalidFlag, version, withDecisions } from '../terminal/context.ts'
import { createProgress, type Ending, EXIT, paint, stopSignal, write } from '../terminal/output.ts'
import { showCall, showLine, showWhole } from './audit-text.ts'

interface FilterFlags extends CommonFlags {
  readonly agent?: string
  readonly server?: string
  readonly tool?: string
  readonly variant?: string
  readonly verdict?: string
  readonly outcome?: string
  readonly severity?: Severity
  readonly since?: string
  readonly until?: string
}

interface QueryFlags extends FilterFlags {
  readonly limit?: number
  readonly cursor?: string
  readonly request?: string
}

interface TailFlags extends FilterFlags {
  readonly limit?: number
  readonly follow?: boolean
}

function readFilter(flags: FilterFlags, now: number): AuditFilter {
  const { agent, variant, verdict, outcome, severity, since, until } = flags
  return {
    ...readTool(flags),
    // A name without a prefix is taken for an agent's.
    agent: agent === undefined || agent.includes(':') ? agent : `agent:${agent}`,
    variant,
    verdict,
    [AUDIT_OUTCOMES.some(known => known === outcome) ? 'outcome' : 'code']: outcome,
    also: severity === undefined ? undefined : hasSeverity(severity),
    since: since === undefined ? undefined : readMoment('--since', since, now),
    until: until === undefined ? undefined : readMoment('--until', until, now),
  }
}

function readTool({ server, tool }: FilterFlags): Pick<AuditFilter, 'server' | 'tool'> {
  const [before, after] = tool?.split(/:(.*)/s) ?? []
  return { server: after === undefined ? server : (server ?? before), tool: after ?? tool }
}

/** Reads a time that is given as an age (`2h`), as a date (meaning its start in UTC) or in full. */
export function readMoment(flag: string, text: string, now: number): number {
  const at = momentOf(text, now)
  if (at !== undefined) return at
  throw invalidFlag(
    flag,
    'expected a duration such as 2h or 30d, a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z',
  )
}

const POLL_MS = 250
const CHUNK = 500

export function query({ json, limit = 50, cursor, request, ...flags }: QueryFlags): Promise<Ending> {
  return withDecisions(flags, async ({ store: { audit } }) => {
    if (request !== undefined) return showRequest(audit, request, json ?? false)
    const filter = readFilter(flags, Date.now())
    const page = await audit.query({ ...filter, limit, cursor })
    const open = cursor === undefined ? await findOpen(audit, filter) : []
    const calls = [...open, ...view(page.calls)]
    if (json) return { out: showJson({ calls, next: page.next }) }
    if (calls.length === 0) return { out: 'No calls found.\n' }
    const err = page.next === undefined ? '' : `hintgate: to see more calls, add --cursor ${page.next}\n`
    return { out: calls.map(call => `${showCall(call, paint)}\n`).join(''), err }
  })
}

async function showRequest(audit: AuditStore, request: string, json: boolean): Promise<Ending> {
  const rows = await audit.find(request)
  const endings = rows.filter(({ kind }) => kind !== 'intent')
  const call = viewCall({
    intent: rows.find(({ kind }) => kind === 'intent'),
    // A call can have two endings: `unknown`, assumed after a crash, and the real one.
    ending: endings.find(({ outcome }) => outcome !== 'unknown') ?? endings[0],
  })
  const missing = `hintgate: the log contains no call with the id ${JSON.stringify(request)}`
  if (call === undefined)
    return { code: EXIT.failed, err: `${missing}\n  fix: find the id of a call with hintgate audit query\n` }
  return { out: json ? showJson(call) : showWhole(call, paint) }
}

/** Finds calls in progress. They have no outcome yet, so a filter on the outcome matches none of them. */
async function findOpen(audit: AuditStore, filter: AuditFilter): Promise<AuditCall[]> {
  if ((filter.outcome ?? filter.code) !== undefined) return []
  const rows = (await audit.open()).filter(row => fits(row, filter))
  return rows.toReversed().flatMap(intent => viewCall({ intent }) ?? [])
}

function fits(row: AuditRow, filter: AuditFilter): boolean {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, also, ...fields } = filter
  const isSame = Object.entries(fields).every(
    ([key, value]) => value === undefined || row[key as keyof typeof fields] === value,
  )
  return isSame && row.at >= since && row.at < until && (also === undefined || also(row))
}

function view(calls: readonly StoredCall[]): AuditCall[] {
  return calls.flatMap(call => viewCall(call) ?? [])
}

export function tail({ json, limit = 20, follow, ...flags }: TailFlags): Promise<void> {
  return withDecisions(flags, async ({ store: { audit } }) => {
    const filter = readFilter(flags, Date.now())
    const show = (call: AuditCall) => write(json ? showLine(call) : `${showCall(call, paint)}\n`)
    const end = await audit.end()
    for (const call of view((await audit.query({ ...filter, limit })).calls).toReversed()) await show(call)
    if (follow === true) await watch(audit, { filter, end, show })
  })
}

interface Watching {
  readonly filter: AuditFilter
  readonly end: string
  readonly show: (call: AuditCall) => Promise<void>
}

/** Shows calls until interrupted. A forwarded call is shown twice: at its start and at its end. */
async function watch(audit: AuditStore, { filter, end, show }: Watching): Promise<void> {
  const stop = stopSignal()
  for (let cursor = end; !stop.aborted; ) {
    const slice = await audit.read(cursor, CHUNK)
    cursor = slice.cursor
    for (const row of slice.rows.filter(one => fits(one, filter))) {
      const call =
        row.kind === 'outcome'
          ? await endOf(audit, row)
          : viewCall({ [row.kind === 'intent' ? 'intent' : 'ending']: row })
      if (call !== undefined) await show(call)
    }
    if (slice.rows.length === 0) await sleep(POLL_MS, undefined, { signal: stop }).catch(() => {})
  }
}

async function endOf(audit: AuditStore, ending: AuditRow): Promise<AuditCall | undefined> {
  const rows = await audit.find(ending.request)
  return viewCall({ intent: rows.find(({ kind }) => kind === 'intent'), ending })
}

export function exportCalls({
  format,
  ...flags
}: FilterFlags & { readonly format: 'jsonl' | 'ocsf' }): Promise<void> {
  return withDecisions(flags, async ({ store: { audit } }) => {
    const filter = readFilter(flags, Date.now())
    const progress = createProgress('calls')
    const product = version()
    let count = 0
    for await (const page of readCalls(audit, filter)) {
      const calls = view(page)
      await write(calls.map(call => showLine(format === 'ocsf' ? toOcsf(call, product) : call)).join(''))
      count += calls.length
      progress.update(count)
    }
    progress.done()
  })
}

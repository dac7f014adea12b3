import { setImmediate } from 'node:timers/promises'
import { viewCall } from '../../audit/view-call.ts'
import type { AuditRequest, AuditStore, StoredCall } from '../../store/audit-store.ts'
import type { Call } from '../contract/contract.ts'
import { describeCall } from './list-calls.ts'

/** So many calls are looked through for one answer; the next page goes on from there. */
const MOST_LOOKED_AT = 5000
/** Read at a time, however few are wanted: what a page costs hardly depends on its length. */
const PAGE = 500

interface Wanted {
  readonly text: string
  /** Whoever asked does not wait any more. */
  readonly isGone: () => boolean
}

interface Found {
  readonly calls: readonly Call[]
  readonly looked: number
  readonly next?: string
}

/**
 * Calls that hold a text. Words are no column of the log, so pages of it are read until enough are found; a page of the
 * answer may be short, or even empty, and yet not the last one.
 */
export async function searchCalls(
  audit: AuditStore,
  request: AuditRequest,
  { text, isGone }: Wanted,
): Promise<{ items: Call[]; next?: string }> {
  const items: Call[] = []
  let { cursor } = request
  for (let looked = 0; looked < MOST_LOOKED_AT && items.length < request.limit && !isGone(); ) {
    const from = { ...request, ...(cursor === undefined ? {} : { cursor }) }
    const page = await readPage(audit, { ...from, limit: request.limit - items.length }, text)
    items.push(...page.calls)
    looked += page.looked
    cursor = page.next
    if (cursor === undefined) return { items }
    await setImmediate()
  }
  return { items, ...(cursor === undefined ? {} : { next: cursor }) }
}

/** Of the next calls those that hold the text. If they are more than may be, it is read again as far as they fit. */
async function readPage(audit: AuditStore, request: AuditRequest, text: string): Promise<Found> {
  for (let limit = PAGE; ; ) {
    const { calls, next } = await audit.query({ ...request, limit })
    const matches = calls.flatMap((stored, at) => {
      const call = describe(stored)
      return call !== undefined && holdsText(call, text) ? [{ call, end: at + 1 }] : []
    })
    const last = matches[request.limit - 1]
    if (last === undefined || matches.length === request.limit)
      return {
        calls: matches.map(({ call }) => call),
        looked: limit,
        ...(next === undefined ? {} : { next }),
      }
    limit = last.end
  }
}

function describe(stored: StoredCall): Call | undefined {
  const call = viewCall(stored)
  return call === undefined ? undefined : describeCall(call)
}

/** Whether a call says this anywhere, in whatever case. */
export function holdsText(call: Call, text: string): boolean {
  const { request, agent, server, tool, sentence, code = '' } = call
  return `${request} ${agent} ${server}:${tool} ${code} ${sentence}`
    .toLowerCase()
    .includes(text.toLowerCase())
}

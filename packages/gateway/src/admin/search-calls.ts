import { setImmediate } from 'node:timers/promises'
import type { AuditRequest, AuditStore } from '../store/audit-store.ts'
import type { Call } from './contract.ts'
import { listCalls } from './list-calls.ts'

/** So many calls are looked through for one answer; the next page goes on from there. */
const MOST_LOOKED_AT = 5000

/**
 * Calls that hold a text. Words are no column of the log, so pages of it are read until enough are found; a page of the
 * answer may be short, or even empty, and yet not the last one.
 */
export async function searchCalls(
  audit: AuditStore,
  request: AuditRequest,
  text: string,
): Promise<{ items: Call[]; next?: string }> {
  const found: Call[] = []
  let cursor = request.cursor
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += request.limit) {
    const page = await listCalls(audit, { ...request, ...(cursor === undefined ? {} : { cursor }) })
    const matches = page.items.filter(call => holdsText(call, text))
    // What does not fit is found again by the next request.
    if (found.length + matches.length > request.limit) break
    found.push(...matches)
    cursor = page.next
    if (cursor === undefined) return { items: found }
    await setImmediate()
  }
  return { items: found, ...(cursor === undefined ? {} : { next: cursor }) }
}

/** Whether a call says this anywhere, in whatever case. */
export function holdsText(call: Call, text: string): boolean {
  const { request, agent, server, tool, sentence, code = '' } = call
  return `${request} ${agent} ${server}:${tool} ${code} ${sentence}`
    .toLowerCase()
    .includes(text.toLowerCase())
}

import { setImmediate } from 'node:timers/promises'
import { readCalls } from '../../audit/read-calls.ts'
import { toOcsf } from '../../audit/to-ocsf.ts'
import { type AuditCall, viewCall } from '../../audit/view-call.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { AuditFilter, AuditRequest, AuditStore, StoredCall } from '../../store/audit-store.ts'
import type { Call, Output } from '../contract/contract.ts'
import { SAFE_HEADERS } from '../http/answer.ts'

type Page = Output<'listActivity'>

export async function listCalls(audit: AuditStore, request: AuditRequest): Promise<Page> {
  const { calls, next } = await audit.query(request)
  return { items: describeCalls(calls), next }
}

export function describeCalls(calls: readonly StoredCall[]): Call[] {
  return calls.flatMap(stored => describe(stored) ?? [])
}

export function describeCall(call: AuditCall): Call {
  const { request, time, agent, server, tool, outcome, code, ms, action, severity, session, repeats } = call
  const variant = VARIANTS.find(known => known === call.variant)
  const verdict = VERDICTS.find(known => known === call.verdict)
  const judged = { variant, verdict, outcome, code, durationMs: ms }
  return {
    request,
    at: Date.parse(time),
    agent,
    server,
    tool,
    ...judged,
    sentence: action,
    severity,
    session,
    ...(repeats === undefined ? {} : { repeats }),
  }
}

function describe(stored: StoredCall): Call | undefined {
  const call = viewCall(stored)
  return call === undefined ? undefined : describeCall(call)
}

const VARIANTS = ['read', 'write', 'destructive'] as const
const VERDICTS = ['allow', 'confirm', 'deny'] as const

/** Maximum number of calls searched for one page. The next page continues from there. */
const MOST_LOOKED_AT = 5000
/** The number of rows read at a time; large, because the cost of a page hardly depends on its length. */
const PAGE = 500

/**
 * Finds calls that contain a text. The log has no index for text, so it is read page by page until enough calls match;
 * a page of the answer may be short or even empty without being the last one.
 */
export async function searchCalls(
  audit: AuditStore,
  request: AuditRequest,
  { text, isGone }: { readonly text: string; readonly isGone: () => boolean },
): Promise<Page> {
  const items: Call[] = []
  let { cursor } = request
  for (let looked = 0; looked < MOST_LOOKED_AT && items.length < request.limit && !isGone(); ) {
    const page = await readPage(audit, { ...request, cursor, limit: request.limit - items.length }, text)
    items.push(...page.items)
    looked += page.looked
    cursor = page.next
    if (cursor === undefined) return { items }
    await setImmediate()
  }
  return { items, next: cursor }
}

/**
 * Reads the next matching calls. If more match than were requested, reads again, only up to the last call that is
 * returned.
 */
async function readPage(
  audit: AuditStore,
  request: AuditRequest,
  text: string,
): Promise<Page & { looked: number }> {
  for (let limit = PAGE; ; ) {
    const { calls, next } = await audit.query({ ...request, limit })
    const matches = calls.flatMap((stored, at) => {
      const call = describe(stored)
      return call !== undefined && holdsText(call, text) ? [{ call, end: at + 1 }] : []
    })
    const last = matches[request.limit - 1]
    if (last === undefined || matches.length === request.limit)
      return { items: matches.map(({ call }) => call), looked: limit, next }
    limit = last.end
  }
}

function holdsText(call: Call, text: string): boolean {
  const { request, agent, server, tool, sentence, code = '' } = call
  return `${request} ${agent} ${server}:${tool} ${code} ${sentence}`
    .toLowerCase()
    .includes(text.toLowerCase())
}

interface Download {
  readonly format: 'jsonl' | 'ocsf'
  /** Only calls that contain this text. */
  readonly text: string
  readonly version: string
}

/** Exports recorded calls as a download, newest first, as fast as the client accepts them. */
export function exportCalls(
  audit: AuditStore,
  filter: AuditFilter,
  { format, text, version }: Download,
): Response {
  const encoder = new TextEncoder()
  const write = (call: AuditCall) => `${writeJson(format === 'ocsf' ? toOcsf(call, version) : call)}\n`
  async function* readLines(): AsyncGenerator<Uint8Array> {
    for await (const page of readCalls(audit, filter)) {
      const calls = page.flatMap(stored => viewCall(stored) ?? [])
      // Yields a chunk even without matches, because a client's disconnection is noticed only between chunks.
      yield encoder.encode(
        calls
          .filter(call => holdsText(describeCall(call), text))
          .map(write)
          .join(''),
      )
      await setImmediate()
    }
  }
  return new Response(ReadableStream.from(readLines()), {
    headers: {
      ...SAFE_HEADERS,
      'content-type': 'application/x-ndjson',
      'content-disposition': `attachment; filename="hintgate-activity.${format}.jsonl"`,
    },
  })
}

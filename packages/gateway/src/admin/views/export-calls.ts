import { setImmediate } from 'node:timers/promises'
import { toOcsf } from '../../audit/to-ocsf.ts'
import { viewCall } from '../../audit/view-call.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { AuditFilter, AuditStore } from '../../store/audit-store.ts'
import { SAFE_HEADERS } from '../http/answer.ts'
import { describeCall } from './list-calls.ts'
import { holdsText } from './search-calls.ts'

const CHUNK = 500

interface Wanted {
  readonly format: 'jsonl' | 'ocsf'
  /** Only calls that say this. */
  readonly text: string
  readonly version: string
}

/** Recorded calls as a download, newest first; read from the log as fast as the client takes them. */
export function exportCalls(
  audit: AuditStore,
  filter: AuditFilter,
  { format, text, version }: Wanted,
): Response {
  let cursor: string | undefined
  let isOver = false
  let isGone = false
  const encoder = new TextEncoder()
  const readLines = async (): Promise<string> => {
    const page = await audit.query({ ...filter, limit: CHUNK, ...(cursor === undefined ? {} : { cursor }) })
    cursor = page.next
    isOver = cursor === undefined
    const lines = page.calls.flatMap(stored => {
      const call = viewCall(stored)
      return call === undefined || !holdsText(describeCall(call), text)
        ? []
        : [`${writeJson(format === 'ocsf' ? toOcsf(call, version) : call)}\n`]
    })
    return lines.join('')
  }
  const stream = new ReadableStream({
    async pull(controller) {
      let lines = ''
      // Nobody asks again after a pull that brought nothing.
      while (lines === '' && !isOver && !isGone) {
        lines = await readLines()
        await setImmediate()
      }
      if (isGone) return
      if (lines !== '') controller.enqueue(encoder.encode(lines))
      if (isOver) controller.close()
    },
    cancel() {
      isGone = true
    },
  })
  return new Response(stream, {
    headers: {
      ...SAFE_HEADERS,
      'content-type': 'application/x-ndjson',
      'content-disposition': `attachment; filename="hintgate-activity.${format}.jsonl"`,
    },
  })
}

import type { AuditRow, AuditStore } from '../../store/audit-store.ts'

interface Log {
  readonly audit: AuditStore
  readonly queries: () => number
}

/** An in-memory log in which every n-th call is to the tool that tests search for. */
export function logOf(length: number, every: number): Log {
  let queries = 0
  const row = (seq: number): AuditRow => ({
    writer: 1,
    seq,
    prev: '',
    hash: '',
    at: seq,
    kind: 'call',
    request: String(seq),
    agent: 'agent:a',
    server: 's',
    tool: seq % every === 0 ? 'rare' : 'usual',
    variant: 'read',
    verdict: 'allow',
    outcome: 'answered',
    code: '',
    body: '{}',
  })
  const query: AuditStore['query'] = async ({ limit, cursor = '0' }) => {
    queries += 1
    const from = Number(cursor)
    const end = Math.min(length, from + limit)
    return {
      calls: Array.from({ length: end - from }, (_, at) => ({ ending: row(length - from - at) })),
      ...(end < length ? { next: String(end) } : {}),
    }
  }
  return { audit: { query } as AuditStore, queries: () => queries }
}

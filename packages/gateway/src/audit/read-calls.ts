import type { AuditFilter, AuditStore, StoredCall } from '../store/audit-store.ts'

const PAGE = 500

/** Reads calls that ended, newest first, page by page on demand. */
export async function* readCalls(
  audit: Pick<AuditStore, 'query'>,
  filter: AuditFilter,
): AsyncGenerator<readonly StoredCall[]> {
  let cursor: string | undefined
  do {
    const page = await audit.query({ ...filter, limit: PAGE, cursor })
    yield page.calls
    cursor = page.next
  } while (cursor !== undefined)
}

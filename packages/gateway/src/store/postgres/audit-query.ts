import type { Kysely } from 'kysely'
import type { AuditPage, AuditRequest, AuditRow } from '../audit-store.ts'
import { toAuditRow } from '../sqlite/audit-rows.ts'
import type { AuditRowRow, Tables } from '../sqlite/schema.ts'
import { sql } from './kysely.ts'

/** Calls that ended, newest first; the rows of a page bring their intents along. */
export async function queryCalls(db: Kysely<Tables>, request: AuditRequest): Promise<AuditPage> {
  const rows = await select(db, request).execute()
  const page = rows.slice(0, request.limit)
  const intents = await findIntents(db, page)
  const last = page.at(-1)
  return {
    calls: page.map(row => {
      const intent = row.kind === 'outcome' ? intents.get(row.request) : undefined
      return { ending: toAuditRow(row), ...(intent === undefined ? {} : { intent }) }
    }),
    ...(rows.length > page.length && last !== undefined ? { next: `${last.at}.${last.id}` } : {}),
  }
}

/** Conditions that choose an index are written out, so that one plan does for all parameters. */
function select(db: Kysely<Tables>, { limit, cursor, since, until, ...equal }: AuditRequest) {
  let query = db
    .selectFrom('audit_rows')
    .selectAll()
    .where(sql<boolean>`kind <> 'intent'`)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  for (const column of ['agent', 'server', 'tool', 'variant', 'verdict', 'outcome', 'code'] as const) {
    const value = equal[column]
    if (value !== undefined) query = query.where(column, '=', value)
  }
  if (equal.verdict !== undefined && equal.verdict !== 'allow')
    query = query.where(sql<boolean>`verdict <> 'allow'`)
  if (equal.outcome !== undefined && equal.outcome !== 'answered')
    query = query.where(sql<boolean>`outcome <> 'answered'`)
  if (equal.code !== undefined && equal.code !== '') query = query.where(sql<boolean>`code <> ''`)
  if (since !== undefined) query = query.where('at', '>=', since)
  if (until !== undefined) query = query.where('at', '<', until)
  const [at, id] = (cursor ?? '').split('.').map(Number)
  if (at !== undefined && id !== undefined) query = query.where(sql<boolean>`(at, id) < (${at}, ${id})`)
  return query
}

async function findIntents(
  db: Kysely<Tables>,
  rows: readonly AuditRowRow[],
): Promise<ReadonlyMap<string, AuditRow>> {
  const requests = rows.filter(({ kind }) => kind === 'outcome').map(({ request }) => request)
  if (requests.length === 0) return new Map()
  const found = await db
    .selectFrom('audit_rows')
    .selectAll()
    .where(sql<boolean>`request = any(${requests}::text[])`)
    .where('kind', '=', 'intent')
    .execute()
  return new Map(found.map(row => [row.request, toAuditRow(row)]))
}

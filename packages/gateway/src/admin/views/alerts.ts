import type { SessionLegs } from '@hintgate/metadata'
import { LEGS, viewRisk } from '@hintgate/metadata'
import { idOf } from '../../catalog/review/review-item.ts'
import { maskEntry } from '../config/mask-entry.ts'
import type { Overview } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import type { Table } from './tool-table.ts'

type Alert = Overview['alerts'][number]

const MOST = 20
const SESSIONS = 200
const DAY_MS = 24 * 60 * 60_000

/** What somebody should look at, newest first. */
export async function listAlerts(deps: AdminDeps, table: Table): Promise<Alert[]> {
  const alerts = [
    ...serversDown(deps),
    ...contradictions(table),
    ...changed(table),
    ...(await trifectas(deps)),
  ]
  return alerts.toSorted((a, b) => b.at - a.at).slice(0, MOST)
}

function serversDown({ servers }: AdminDeps): readonly Alert[] {
  return servers()
    .filter(({ state, lastFailure }) => state === 'waiting' && lastFailure !== undefined)
    .map(({ name, lastFailure }) => ({
      kind: 'server.down',
      text: `${name} is down: ${String(maskEntry(lastFailure?.detail ?? ''))}`,
      at: Date.now(),
      link: `/servers/${encodeURIComponent(name)}`,
    }))
}

function contradictions({ rows }: Table): readonly Alert[] {
  return rows
    .filter(row => row.contradictions > 0)
    .map(({ id, item }) => ({
      kind: 'contradiction',
      text: `${id} promises what its own words deny`,
      at: item.current.firstSeenAt,
      link: linkOf(item.stored),
    }))
}

function changed({ rows }: Table): readonly Alert[] {
  return rows
    .filter(({ state }) => state === 'changed')
    .map(({ item }) => ({
      kind: 'tool.changed',
      text: `${idOf(item.stored)} is not what was approved`,
      at: item.current.firstSeenAt,
      link: '/review',
    }))
}

async function trifectas({ store }: AdminDeps): Promise<readonly Alert[]> {
  const since = Date.now() - DAY_MS
  const sessions = await store.sessions.list(SESSIONS)
  return sessions.flatMap(({ id, legs, usedAt }) => {
    const marks = JSON.parse(legs) as SessionLegs
    if (usedAt < since || viewRisk(marks).level !== 'trifecta') return []
    const at = Math.max(...LEGS.map(leg => marks[leg]?.at ?? 0))
    const text = `the session ${id} has private data, untrusted content and a way out`
    return [{ kind: 'trifecta', text, at, link: `/sessions/${encodeURIComponent(id)}` }]
  })
}

function linkOf({ server, name }: { readonly server: string; readonly name: string }): string {
  return `/tools/${encodeURIComponent(server)}/${encodeURIComponent(name)}`
}

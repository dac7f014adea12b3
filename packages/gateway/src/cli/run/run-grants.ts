import { showUntrusted } from '@hintgate/metadata'
import { createApprovals } from '../../approvals/approvals.ts'
import { currentState } from '../../approvals/current-state.ts'
import { readShown, showMoment } from '../../approvals/shown-request.ts'
import type { StoredApproval } from '../../store/approval-store.ts'
import { endWith, readReviewer } from '../client/review-context.ts'
import { layTable, showJson } from '../show/show-json.ts'
import { type CommonFlags, withDecisions } from '../terminal/context.ts'
import type { Ending } from '../terminal/output.ts'
import { withGrants } from './with-grants.ts'

interface ListFlags extends CommonFlags {
  readonly all?: boolean
}

export function list({ json, all, ...flags }: ListFlags): Promise<Ending> {
  return withDecisions(flags, async ({ store }) => {
    const now = Date.now()
    const grants = await createApprovals(store).grants(all === true ? 'all' : 'active')
    if (json) return { out: showJson(grants.map(grant => describe(grant, now))) }
    if (grants.length === 0) return { out: 'No lasting approvals are in force.\n' }
    const rows = grants.map(grant => toRow(grant, now))
    return {
      out: `${layTable([['ID', 'AGENT', 'TOOL', 'COVERS', 'RULES', 'BY', 'UNTIL', 'STATE'], ...rows]).join('\n')}\n`,
    }
  })
}

export function revoke(
  id: string,
  { by: given, json, ...flags }: CommonFlags & { readonly by?: string },
): Promise<Ending> {
  return withGrants(flags, async approvals => {
    const by = readReviewer(given)
    if (typeof by !== 'string') return endWith(by)
    const grant = await approvals.revoke(id, { by: `person:${by}`, via: 'cli' })
    if (json) return { out: showJson(describe(grant, Date.now())) }
    return { out: `Revoked ${id}: ${showUntrusted(grant.tool, 200)}. The next such call asks again.\n` }
  })
}

function describe(grant: StoredApproval, now: number) {
  const { id, principal, session, tool, remembers = 'arguments', decision, revokedBy, revokedAt } = grant
  const { reasons, arguments: args } = readShown(grant.shown)
  return {
    id,
    state: currentState(grant, now),
    covers: remembers,
    principal,
    ...(remembers === 'session' || remembers === 'target' ? { session } : {}),
    tool,
    ...(remembers === 'arguments' ? { arguments: args } : {}),
    rules: reasons.map(({ rule }) => rule),
    granted: {
      by: decision?.by,
      via: decision?.via,
      at: new Date(grant.createdAt).toISOString(),
      note: decision?.note,
    },
    expires: new Date(grant.expiresAt).toISOString(),
    ...(revokedAt === undefined ? {} : { revoked: { by: revokedBy, at: new Date(revokedAt).toISOString() } }),
  }
}

const COVERS = {
  arguments: 'these arguments',
  session: 'its session',
  target: 'this target in its session',
  rule: 'everything the rule asks about',
} as const

function toRow(grant: StoredApproval, now: number): readonly string[] {
  const rules = readShown(grant.shown).reasons.map(({ rule }) => rule)
  const state = currentState(grant, now)
  return [
    grant.id,
    showUntrusted(grant.principal, 80),
    showUntrusted(grant.tool, 80),
    COVERS[grant.remembers ?? 'arguments'],
    showUntrusted(rules.join(', '), 80),
    showUntrusted(grant.decision?.by ?? '', 80),
    showMoment(grant.expiresAt),
    state === 'standing' ? 'in force' : state,
  ]
}

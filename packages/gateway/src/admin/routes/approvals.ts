import { CALL_VARIANTS, kindOfVariant } from '@hintgate/metadata'
import { currentState } from '../../approvals/current-state.ts'
import { type Shortened, shorten } from '../../approvals/shorten.ts'
import { readShown, type ShownRequest } from '../../approvals/shown-request.ts'
import { hasCode } from '../../base/errors.ts'
import { parseDuration } from '../../base/measures.ts'
import { hasRole } from '../../scope/role.ts'
import type { StoredApproval } from '../../store/approval-store.ts'
import type { Approval } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { AdminProblem, orMissing } from '../http/problem.ts'

const ALL = ['pending', 'approved', 'denied', 'spent', 'standing'] as const
/** Maximum number of approvals in a list. It is rarely reached, because closed approvals are deleted after a week. */
const MOST = 2000
/** Maximum number of characters of arguments for each approval in a list. */
const MOST_IN_LIST = 16_384

export function createApprovalHandlers(deps: AdminDeps) {
  const { store, approvals } = deps
  const describeWhole = async (approval: StoredApproval): Promise<Approval> => {
    const described = describe(approval, Date.now())
    if (described.approvers === 1) return described
    return { ...described, approvedBy: (await approvals.votes(approval.id)).map(({ by }) => by) }
  }
  return {
    async listApprovals({ query: { state = 'pending', limit, cursor } }) {
      const now = Date.now()
      const states = state === 'pending' ? (['pending'] as const) : ALL
      const found = await store.approvals.list({ now: state === 'pending' ? now : 0, states, limit: MOST })
      return pageOf(found, { limit, cursor }, approval => describe(approval, now, MOST_IN_LIST))
    },
    async getApproval({ params: { id } }) {
      return describeWhole(orMissing(await approvals.find(id), `There is no approval ${id}.`))
    },
    async listGrants({ query: { state = 'active', limit, cursor } }) {
      const now = Date.now()
      const found = await approvals.grants(state)
      return pageOf(found, { limit, cursor }, approval => describe(approval, now, MOST_IN_LIST))
    },
    async revokeGrant({ params: { id } }, { principal }) {
      try {
        return describe(await approvals.revoke(id, { by: principal.id, via: 'console' }), Date.now())
      } catch (error) {
        throw explain(error)
      }
    },
    async getPush() {
      const publicKey = await deps.push.publicKey()
      return publicKey === undefined ? {} : { publicKey }
    },
    async subscribePush({ body }, { principal }) {
      await deps.push.subscribe(principal.id, body)
      return {}
    },
    async unsubscribePush({ body }, { principal }) {
      return { removed: await deps.push.unsubscribe(principal.id, body.endpoint) }
    },
    async decideApproval({ params: { id }, body }, { principal, role }) {
      const verdict = body.decision === 'approve' ? 'approved' : 'denied'
      const { remember, note } = body
      const forMs = readFor(body.for)
      const mayGrantRule = hasRole(role, 'operator')
      try {
        const answer = {
          verdict,
          by: principal.id,
          via: 'console',
          note,
          remember,
          forMs,
          mayGrantRule,
        } as const
        return await describeWhole(await approvals.decide(id, answer))
      } catch (error) {
        throw explain(error)
      }
    },
  } satisfies Partial<Handlers>
}

/** Reads how long an answer lasts. The approvals themselves check that this is not too long. */
function readFor(text: string | undefined): number | undefined {
  const forMs = text === undefined ? undefined : parseDuration(text)
  if (text !== undefined && forMs === undefined)
    throw new AdminProblem('invalid_request', 'body.for: expected a duration such as 1d.')
  return forMs
}

function explain(error: unknown): unknown {
  if (hasCode(error, 'grant_unknown'))
    return new AdminProblem('not_found', `There is no lasting approval ${error.payload.id} in force.`)
  if (hasCode(error, 'approval_unknown'))
    return new AdminProblem('not_found', `There is no approval ${error.payload.id}.`)
  if (!hasCode(error, 'approval_decided')) return error
  return error.payload.state === 'over'
    ? new AdminProblem(
        'confirmation_expired',
        'The approval expired without a decision. The agent must call again.',
      )
    : new AdminProblem('already_decided', `The approval is already ${error.payload.state}. ${error.remedy}`)
}

function describe(approval: StoredApproval, now: number, most?: number): Approval {
  const { id, principal, session, channel, createdAt, expiresAt, decision } = approval
  const { remembers, revokedBy, revokedAt } = approval
  const shown = readShown(approval.shown)
  const lasting = { remembers, revokedBy, revokedAt }
  const who = { principal, session, channel, createdAt, expiresAt, decision, ...lasting }
  return { id, state: currentState(approval, now), ...wordsOf(shown, most), ...who }
}

/** Describes a request's content. Values longer than `most` characters are shortened; undefined means no limit. */
function wordsOf(shown: ShownRequest, most: number | undefined) {
  const { server, tool, title, action, hints, reasons, session_risk, preview, origin, remember } = shown
  const fit = (value: unknown): Shortened =>
    most === undefined ? { value, isCut: false } : shorten(value, most)
  const args = fit(shown.arguments)
  const others = shown.others === undefined ? undefined : fit(shown.others)
  return {
    server,
    tool,
    set: shown.set,
    title,
    action,
    variant: kindOf(shown.variant),
    arguments: args.value,
    others: others?.value,
    isCut: shown.isCut === true || args.isCut || others?.isCut === true,
    hints,
    risk: session_risk.level,
    riskFactors: [...session_risk.riskFactors],
    preview,
    origin,
    reasons: [...reasons],
    canRemember: [...remember],
    approvers: shown.approvers ?? 1,
  }
}

/** Shortens a variant: `call_tool_write` in the stored request is `write` in the API. */
function kindOf(shown: string): Approval['variant'] {
  const variant = CALL_VARIANTS.find(known => known === shown)
  return variant === undefined ? 'destructive' : kindOfVariant(variant)
}

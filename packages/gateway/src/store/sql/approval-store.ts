import type { ApprovalStore, StoredApproval } from '../approval-store.ts'
import { noteIfChanged, type SqlDatabase } from './database.ts'
import { type ApprovalRow, fromRow } from './schema.ts'

const OPEN = ['pending', 'approved', 'denied', 'standing'] as const
const MOST = 1000
const WAYS_OF_CLIENTS = ['elicitation', 'input_required'] as const

/** Each change is a single statement, so only one of two concurrent changes succeeds. */
export function createApprovalStore({ db, note }: SqlDatabase): ApprovalStore {
  const all = db.selectFrom('approvals')
  const pending = (now: number) => all.where('state', '=', 'pending').where('expires_at', '>', now)
  const newest = (states: readonly ApprovalRow['state'][], now: number) =>
    all.selectAll().where('state', 'in', states).where('expires_at', '>', now).orderBy('created_at', 'desc')
  const change = (id: string, from: ApprovalRow['state'], now: number) =>
    db.updateTable('approvals').where('id', '=', id).where('state', '=', from).where('expires_at', '>', now)

  return {
    async insert(approval) {
      await db.insertInto('approvals').values(toRow(approval)).execute()
      await note()
    },
    async find(id) {
      const row = await all.selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : toApproval(row)
    },
    async findByBinding(binding, now, states = OPEN) {
      const row = await newest(states, now)
        .where('binding', '=', binding)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return row === undefined ? undefined : toApproval(row)
    },
    async countPending(principal, now) {
      const own = pending(now).where('principal', '=', principal)
      const { count } = await own.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
      return Number(count)
    },
    async listPending(now) {
      const rows = await pending(now).select('id').execute()
      return rows.map(({ id }) => id)
    },
    async list({ states = OPEN, now, limit = MOST }) {
      const rows = await newest(states, now).orderBy('id').limit(limit).execute()
      return rows.map(toApproval)
    },
    async decide(id, state, { by, via, at, note: words }) {
      const decided = { state, decided_by: by, decided_via: via, decided_at: at, note: words ?? null }
      const result = await change(id, 'pending', at).set(decided).executeTakeFirst()
      return noteIfChanged(result.numUpdatedRows, note)
    },
    async revoke(id, { by, at }) {
      const ending = change(id, 'standing', at).where('revoked_at', 'is', null)
      const result = await ending.set({ revoked_by: by, revoked_at: at }).executeTakeFirst()
      return noteIfChanged(result.numUpdatedRows, note)
    },
    async vote(id, { by, via, at }) {
      const open = pending(at).where('id', '=', id)
      const vote = open.select(eb => [
        'id',
        eb.val(by).as('person'),
        eb.val(via).as('via'),
        eb.val(at).as('at'),
      ])
      const result = await db
        .insertInto('approval_votes')
        .columns(['approval', 'person', 'via', 'at'])
        .expression(vote)
        .onConflict(conflict => conflict.columns(['approval', 'person']).doNothing())
        .executeTakeFirst()
      return noteIfChanged(result.numInsertedOrUpdatedRows ?? 0n, note)
    },
    async votes(id) {
      const rows = await db
        .selectFrom('approval_votes')
        .select(['person', 'via', 'at'])
        .where('approval', '=', id)
        .orderBy('at')
        .orderBy('person')
        .execute()
      return rows.map(({ person, via, at }) => ({ by: person, via, at }))
    },
    async spend(id, binding, now, by) {
      const spent = { state: 'spent', spent_by: by ?? null } as const
      const spending = change(id, 'approved', now).where('binding', '=', binding).set(spent)
      return noteIfChanged((await spending.executeTakeFirst()).numUpdatedRows, note)
    },
    async removeOver(principal, keep, now) {
      const own = all.select('id').where('principal', '=', principal)
      const open = (state: 'approved' | 'standing') =>
        own.where('state', '=', state).where('expires_at', '>', now).where('revoked_at', 'is', null)
      const over = own.where(eb =>
        eb.or([
          eb('state', '=', 'spent'),
          eb('expires_at', '<=', now),
          eb('revoked_at', 'is not', null),
          // A denial that did not come from the client itself is kept until it expires, however many other calls ask in
          // the meantime.
          eb.and([eb('state', '=', 'denied'), eb('decided_via', 'in', WAYS_OF_CLIENTS)]),
        ]),
      )
      let removed = 0
      // Counted separately for each kind, so many expired approvals do not displace valid ones.
      for (const alike of [over, open('approved'), open('standing')]) {
        const newest = alike.orderBy('created_at', 'desc').orderBy('id').limit(keep)
        const result = await db
          .deleteFrom('approvals')
          .where('id', 'in', alike)
          .where('id', 'not in', newest)
          .executeTakeFirst()
        removed += Number(result.numDeletedRows)
      }
      return removed
    },
    async removeBefore(moment) {
      const result = await db.deleteFrom('approvals').where('expires_at', '<', moment).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}

function toRow({
  decision,
  createdAt,
  expiresAt,
  remembers,
  revokedAt,
  revokedBy,
  spentBy,
  ...same
}: StoredApproval): ApprovalRow {
  return {
    ...same,
    remembers: remembers ?? null,
    revoked_by: revokedBy ?? null,
    revoked_at: revokedAt ?? null,
    created_at: createdAt,
    expires_at: expiresAt,
    decided_by: decision?.by ?? null,
    decided_via: decision?.via ?? null,
    decided_at: decision?.at ?? null,
    note: decision?.note ?? null,
    spent_by: spentBy ?? null,
  }
}

function toApproval(row: ApprovalRow): StoredApproval {
  const { decided_by: by, decided_via: via, decided_at: at, note, ...asked } = row
  const approval = fromRow<Omit<StoredApproval, 'decision'>>(asked)
  if (by === null || via === null || at === null) return approval
  return { ...approval, decision: { by, via, at, ...(note === null ? {} : { note }) } }
}

import { OPEN_TASKS, type StoredTask, type TaskChange, type TaskStore } from '../task-store.ts'
import { noteIfChanged, type SqlDatabase } from './database.ts'
import { fromRow, type Tables } from './schema.ts'

const OVER = ['completed', 'failed', 'cancelled'] as const
const HELD = ['claimed', 'sent'] as const
/** Enough for one round; the next round finds the others. */
const MOST = 1000

/** Each change is a single statement, so only one of two concurrent changes succeeds. */
export function createTaskStore({ db, note }: SqlDatabase): TaskStore {
  const all = db.selectFrom('tasks')

  return {
    async insert(task, quota) {
      const own = all.where('principal', '=', task.principal).where('state', 'in', OPEN_TASKS)
      const row = toRow(task)
      const { count, bytes } = await own
        .where('expires_at', '>', task.createdAt)
        .select(({ fn }) => [fn.countAll().as('count'), fn.sum('size').as('bytes')])
        .executeTakeFirstOrThrow()
      if (Number(count) >= quota.open || Number(bytes ?? 0) + row.size > quota.bytes) return false
      await db.insertInto('tasks').values(row).execute()
      await note()
      return true
    },
    async find(id, now, principal) {
      const one = all.selectAll().where('id', '=', id).where('expires_at', '>', now)
      const row = await (principal === undefined
        ? one
        : one.where('principal', '=', principal)
      ).executeTakeFirst()
      return row === undefined ? undefined : toTask(row)
    },
    async change(id, { states, holder, version }, change) {
      let changing = db
        .updateTable('tasks')
        .set(eb => ({ ...columnsOf(change), version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .where('state', 'in', states)
      if (holder !== undefined) changing = changing.where('holder', '=', holder)
      if (version !== undefined) changing = changing.where('version', '=', version)
      return noteIfChanged((await changing.executeTakeFirst()).numUpdatedRows, note)
    },
    async renew(id, holder, now) {
      await db
        .updateTable('tasks')
        .set({ seen_at: now })
        .where('id', '=', id)
        .where('holder', '=', holder)
        .execute()
    },
    async listDue(now) {
      const rows = await db
        .selectFrom('tasks')
        .leftJoin('approvals', 'approvals.id', 'tasks.approval')
        .select('tasks.id')
        .where('tasks.state', '=', 'waiting')
        .where('tasks.expires_at', '>', now)
        .where(eb =>
          eb.or([
            eb('approvals.id', 'is', null),
            eb('approvals.state', '!=', 'pending'),
            eb('approvals.expires_at', '<=', now),
          ]),
        )
        .orderBy('tasks.created_at')
        .limit(MOST)
        .execute()
      return rows.map(({ id }) => id)
    },
    async nextExpiry() {
      const row = await db
        .selectFrom('tasks')
        .innerJoin('approvals', 'approvals.id', 'tasks.approval')
        .select('approvals.expires_at as at')
        .where('tasks.state', '=', 'waiting')
        .where('approvals.state', '=', 'pending')
        .orderBy('approvals.expires_at')
        .limit(1)
        .executeTakeFirst()
      return row?.at
    },
    async listHeld() {
      const rows = await all.selectAll().where('state', 'in', HELD).limit(MOST).execute()
      return rows.map(toTask)
    },
    async trim(principal, { over, bytes }) {
      const rows = await all
        .select(['id', 'size'])
        .where('principal', '=', principal)
        .where('state', 'in', OVER)
        .orderBy('updated_at', 'desc')
        .orderBy('id')
        .execute()
      let sum = 0
      const excess = rows.filter(({ size }, at) => {
        sum += size
        return at >= over || sum > bytes
      })
      for (const { id } of excess) await db.deleteFrom('tasks').where('id', '=', id).execute()
    },
    async removeExpired(now) {
      const result = await db.deleteFrom('tasks').where('expires_at', '<=', now).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}

type Row = Tables['tasks']

function toRow(task: StoredTask): Row {
  const { id, principal, state, approval, createdAt, updatedAt, expiresAt, version } = task
  return {
    id,
    principal,
    state,
    approval: approval ?? null,
    created_at: createdAt,
    updated_at: updatedAt,
    expires_at: expiresAt,
    version,
    holder: task.holder ?? null,
    seen_at: task.seenAt ?? null,
    call: task.call,
    questions: task.questions ?? null,
    ending: task.ending ?? null,
    note: task.note ?? null,
    size: Buffer.byteLength(task.call),
  }
}

function toTask({ size: _, ...row }: Row): StoredTask {
  return fromRow<StoredTask>(row)
}

function columnsOf(change: TaskChange): Partial<Row> {
  const { state, approval, updatedAt, expiresAt, seenAt, call, ending } = change
  return {
    ...(state === undefined ? {} : { state }),
    ...(approval === undefined ? {} : { approval }),
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...(seenAt === undefined ? {} : { seen_at: seenAt }),
    ...(call === undefined ? {} : { call }),
    ...(ending === undefined ? {} : { size: Buffer.byteLength(ending) }),
    ...nullable('holder', change),
    ...nullable('questions', change),
    ...nullable('ending', change),
    ...nullable('note', change),
  }
}

function nullable<K extends 'holder' | 'questions' | 'ending' | 'note'>(key: K, change: TaskChange) {
  return key in change ? { [key]: change[key] ?? null } : {}
}

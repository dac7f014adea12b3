import type { NotificationKey, NotificationStore, PushSubscriberStore } from '../notification-store.ts'
import type { SqlDatabase } from './database.ts'
import { fromRow } from './schema.ts'

export function createNotificationStore({ db }: SqlDatabase): NotificationStore {
  const all = db
    .selectFrom('notifications')
    .select(['approval', 'channel', 'kind', 'state', 'attempts', 'at'])
  const found = all.select(['reference', 'error'])

  return {
    async claim(key, now, until) {
      const result = await db
        .insertInto('notifications')
        .values({
          ...keyOf(key),
          state: 'sending',
          attempts: 0,
          at: now,
          until,
          reference: null,
          error: null,
        })
        .onConflict(conflict =>
          conflict
            .columns(['approval', 'channel', 'kind'])
            .doUpdateSet({ until })
            .where('notifications.state', '=', 'sending')
            .where('notifications.until', '<=', now),
        )
        .executeTakeFirst()
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
    },
    async renew(key, until) {
      await theOne(key).set({ until }).where('state', '=', 'sending').execute()
    },
    async finish(key, { state, attempts, at, reference, error }, keep) {
      const result = { state, attempts, at, reference: reference ?? null, error: error ?? null }
      await theOne(key).set(result).execute()
      if (state === 'failed') await forgetFailures(keep)
    },
    async list(approval) {
      const rows = await found.where('approval', '=', approval).orderBy('at').execute()
      return rows.map(row => fromRow(row))
    },
    async unclosed(channels) {
      if (channels.length === 0) return []
      const rows = await db
        .selectFrom('notifications as asked')
        .select('asked.approval')
        .distinct()
        .where('asked.kind', '=', 'asked')
        .where('asked.state', '=', 'sent')
        .where('asked.channel', 'in', channels)
        .where(eb =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('notifications as closed')
                .select('closed.approval')
                .whereRef('closed.approval', '=', 'asked.approval')
                .whereRef('closed.channel', '=', 'asked.channel')
                .where('closed.kind', '=', 'closed'),
            ),
          ),
        )
        .execute()
      return rows.map(({ approval }) => approval)
    },
    async failures(limit) {
      const failed = found.where('state', '=', 'failed').orderBy('at', 'desc').orderBy('approval')
      return (await failed.limit(limit).execute()).map(row => fromRow(row))
    },
    async removeBefore(moment) {
      const result = await db.deleteFrom('notifications').where('at', '<', moment).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }

  function theOne({ approval, channel, kind }: NotificationKey) {
    return db
      .updateTable('notifications')
      .where('approval', '=', approval)
      .where('channel', '=', channel)
      .where('kind', '=', kind)
  }

  async function forgetFailures(keep: number): Promise<void> {
    const oldest = await db
      .selectFrom('notifications')
      .select('at')
      .where('state', '=', 'failed')
      .orderBy('at', 'desc')
      .offset(keep)
      .limit(1)
      .executeTakeFirst()
    if (oldest === undefined) return
    await db.deleteFrom('notifications').where('state', '=', 'failed').where('at', '<=', oldest.at).execute()
  }
}

function keyOf({ approval, channel, kind }: NotificationKey): NotificationKey {
  return { approval, channel, kind }
}

export function createPushSubscriberStore({ db }: SqlDatabase): PushSubscriberStore {
  const all = db.selectFrom('push_subscribers').selectAll().orderBy('created_at', 'desc').orderBy('id')

  return {
    async save({ id, person, sealed, createdAt }, keep) {
      const row = { id, person, sealed, created_at: createdAt }
      const { id: _, ...changed } = row
      await db
        .insertInto('push_subscribers')
        .values(row)
        .onConflict(conflict => conflict.column('id').doUpdateSet(changed))
        .execute()
      const own = await all.where('person', '=', person).execute()
      const over = own.slice(keep).map(one => one.id)
      if (over.length > 0) await db.deleteFrom('push_subscribers').where('id', 'in', over).execute()
    },
    async list(person) {
      const wanted = person === undefined ? all : all.where('person', '=', person)
      return (await wanted.execute()).map(row => fromRow(row))
    },
    async remove(id, person) {
      const one = db.deleteFrom('push_subscribers').where('id', '=', id)
      const result = await (person === undefined ? one : one.where('person', '=', person)).executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}

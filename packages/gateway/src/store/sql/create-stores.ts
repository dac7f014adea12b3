import type { EraStore, SecretStore, Store } from '../store.ts'
import { createApprovalStore } from './approval-store.ts'
import { noteIfChanged, type SqlDatabase } from './database.ts'
import { createDefinitionStore } from './definition-store.ts'
import { createNotificationStore, createPushSubscriberStore } from './notification-store.ts'
import { createOverrideStore } from './override-store.ts'
import { createPassageStore } from './passage-store.ts'
import { createResultStore } from './result-store.ts'
import { createSessionStore } from './session-store.ts'
import { createTaskStore } from './task-store.ts'
import { createTokenStore } from './token-store.ts'

type Common = Omit<Store, 'audit' | 'rates' | 'isShared' | 'onChange' | 'version' | 'close'>

export function createStores(database: SqlDatabase): Common {
  return {
    tokens: createTokenStore(database),
    eras: createEraStore(database),
    results: createResultStore(database),
    definitions: createDefinitionStore(database),
    overrides: createOverrideStore(database),
    approvals: createApprovalStore(database),
    sessions: createSessionStore(database),
    passages: createPassageStore(database),
    secrets: createSecretStore(database),
    notifications: createNotificationStore(database),
    pushSubscribers: createPushSubscriberStore(database),
    tasks: createTaskStore(database),
  }
}

function createEraStore({ db, note }: SqlDatabase): EraStore {
  return {
    async find(server, definition) {
      const row = await db
        .selectFrom('eras')
        .select('era')
        .where('server', '=', server)
        .where('definition', '=', definition)
        .executeTakeFirst()
      return row?.era
    },
    async remember(server, definition, era) {
      const result = await db
        .insertInto('eras')
        .values({ server, definition, era })
        // Writing an unchanged value would notify all processes needlessly.
        .onConflict(conflict =>
          conflict.columns(['server', 'definition']).doUpdateSet({ era }).where('eras.era', '!=', era),
        )
        .executeTakeFirst()
      if (result.numInsertedOrUpdatedRows) await note()
    },
  }
}

function createSecretStore({ db, note }: SqlDatabase): SecretStore {
  return {
    async find(name) {
      const row = await db.selectFrom('secrets').select('sealed').where('name', '=', name).executeTakeFirst()
      return row?.sealed
    },
    async save(name, sealed) {
      await db
        .insertInto('secrets')
        .values({ name, sealed })
        .onConflict(conflict => conflict.column('name').doUpdateSet({ sealed }))
        .execute()
      await note()
    },
    async remove(name) {
      const result = await db.deleteFrom('secrets').where('name', '=', name).executeTakeFirst()
      return noteIfChanged(result.numDeletedRows, note)
    },
  }
}

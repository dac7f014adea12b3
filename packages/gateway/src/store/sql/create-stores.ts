import type { Store } from '../store.ts'
import { createApprovalStore } from './approval-store.ts'
import type { SqlDatabase } from './database.ts'
import { createDefinitionStore } from './definition-store.ts'
import { createEraStore } from './era-store.ts'
import { createOverrideStore } from './override-store.ts'
import { createResultStore } from './result-store.ts'
import { createSecretStore } from './secret-store.ts'
import { createSessionStore } from './session-store.ts'
import { createTokenStore } from './token-store.ts'

type Common = Omit<Store, 'audit' | 'rates' | 'isShared' | 'onChange' | 'version' | 'close'>

/** What every database does in the same way. */
export function createStores(database: SqlDatabase): Common {
  return {
    tokens: createTokenStore(database),
    eras: createEraStore(database),
    results: createResultStore(database),
    definitions: createDefinitionStore(database),
    overrides: createOverrideStore(database),
    approvals: createApprovalStore(database),
    sessions: createSessionStore(database),
    secrets: createSecretStore(database),
  }
}

import { HintgateError } from '../../base/errors.ts'
import type { Store } from '../store.ts'

/** Opens the store that an address names: `sqlite:/absolute/path` or `postgres://user@host/database`. */
export async function openStore(url: string): Promise<Store> {
  if (url.startsWith('sqlite:')) {
    const { openSqliteStore } = await import('../sqlite/sqlite-store.ts')
    return openSqliteStore(url.slice('sqlite:'.length))
  }
  if (/^postgres(?:ql)?:/.test(url)) {
    const { openPostgresStore } = await import('../postgres/postgres-store.ts')
    return openPostgresStore(url)
  }
  throw new HintgateError('store_unsupported', { store: withoutPassword(url) })
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//…@')
}

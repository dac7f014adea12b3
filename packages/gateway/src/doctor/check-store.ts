import { statSync } from 'node:fs'
import { loadSqlite } from '../store/open/open-store.ts'
import { MIGRATIONS } from '../store/sqlite/migrations.ts'
import type { Store, StoredDefinition } from '../store/store.ts'
import { commandOf, type DoctorFinding, quote, type Repair } from './finding.ts'

/**
 * Checks the file of a SQLite store. A missing file, or one that is not a database, is skipped here, because opening
 * the store later gives a more precise report.
 */
export function checkStore(store: StoreFacts): readonly DoctorFinding[] {
  if (store.kind !== 'ours') return []
  return [...checkVersion(store), ...checkDamage(store), ...checkResults(store)]
}

/** True if opening the store would not change it. */
export function mayOpen(store: StoreFacts): boolean {
  if (store.kind !== 'ours') return store.kind === 'strange'
  return store.version >= store.known && (store.damage ?? []).length === 0
}

type OurStore = Extract<StoreFacts, { readonly kind: 'ours' }>

function checkVersion({ file, version, known }: OurStore): readonly DoctorFinding[] {
  if (version >= known) return []
  const text = `${file} has schema version ${version}, and this Hintgate needs ${known}. At its next start, the gateway will make a backup and migrate the store. The store's content was not checked`
  const fix = 'run hintgate store migrate'
  return [{ code: 'store_older', level: 'warning', text, fix }]
}

function checkDamage({ file, damage }: OurStore): readonly DoctorFinding[] {
  const check = `run sqlite3 ${quote(file)} 'pragma quick_check'`
  if (damage === undefined) {
    const text = `${file} was not checked for damage, because it is too large`
    return [{ code: 'store_unchecked', level: 'info', text, fix: check }]
  }
  if (damage.length === 0) return []
  const text = [`${file} is damaged`, ...damage.map(line => `  | ${line}`)].join('\n')
  const fix = `stop the gateway and restore a backup (docs/operations.md, "Restore"), or recover what is readable with sqlite3 ${quote(file)} .recover`
  return [{ code: 'store_corrupt', level: 'error', text, fix }]
}

function checkResults({ file, expired, version, known }: OurStore): readonly DoctorFinding[] {
  if (expired === 0 || version !== known) return []
  const text = `${expired} stored ${expired === 1 ? 'result' : 'results'} in ${file} expired but ${expired === 1 ? 'was' : 'were'} not deleted`
  const repair: Repair = { does: 'forget results', store: `sqlite:${file}` }
  return [{ code: 'results_expired', level: 'info', text, fix: commandOf(repair), repair }]
}

/** Facts about a store's file, read without opening the store, which would migrate it. */
export type StoreFacts =
  /** Opening the store creates the file (`missing`) or reports the problem (`strange`). */
  | { readonly kind: 'missing' | 'strange'; readonly file: string }
  | {
      readonly kind: 'ours'
      readonly file: string
      /** The schema version of the file. `known` is the newest version that this Hintgate supports. */
      readonly version: number
      readonly known: number
      /** Descriptions of the damage that was found; undefined if the file was too large to check. */
      readonly damage?: readonly string[]
      /** The number of stored results that have expired but were not deleted. */
      readonly expired: number
    }

/** Larger files are not checked, because a check takes one or two seconds per GiB. */
const LARGEST_CHECKED = 2 ** 30
const TABLES = ['tokens', 'eras']

export async function inspectStore(file: string, now: number): Promise<StoreFacts> {
  try {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats === undefined) return { kind: 'missing', file }
    return await read(file, { isSmall: stats.size <= LARGEST_CHECKED, now })
  } catch {
    // The file is not a database, its folder is missing, or permission is denied. Opening the store will report which.
    return { kind: 'strange', file }
  }
}

async function read(file: string, { isSmall, now }: { isSmall: boolean; now: number }): Promise<StoreFacts> {
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1000 })
  try {
    const ask = (sql: string, ...values: number[]): readonly unknown[] =>
      database
        .prepare(sql)
        .all(...values)
        .flatMap(row => Object.values(row as object))
    const tables = new Set(ask("select name from sqlite_schema where type = 'table'"))
    if (!TABLES.every(name => tables.has(name))) return { kind: 'strange', file }
    const hasResults = tables.has('results')
    const damage = isSmall ? findDamage(ask) : undefined
    return {
      kind: 'ours',
      file,
      version: Number(ask('pragma user_version')[0]),
      known: MIGRATIONS.length,
      ...(damage && { damage }),
      expired:
        hasResults && !damage?.length
          ? Number(ask('select count(*) from results where expires_at <= ?', now)[0])
          : 0,
    }
  } finally {
    database.close()
  }
}

/** A page that cannot be read at all makes the check itself fail. That is damage, too. */
function findDamage(ask: (sql: string) => readonly unknown[]): readonly string[] {
  try {
    return ask('pragma quick_check(3)')
      .map(String)
      .filter(line => line !== 'ok')
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

/** A time before Hintgate's first release. A clock that shows an earlier time is wrong. */
const EARLIEST = Date.UTC(2026, 0, 1)
/** Clocks can differ by this much without a warning, because the clocks of replicas are usually a few seconds apart. */
const TOLERATED_MS = 2 * 60 * 1000

const COMMANDS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
}

interface ClockFacts {
  readonly now: number
  /** The time of the latest event in the store; undefined if there is none. */
  readonly latest?: number | undefined
  readonly platform: NodeJS.Platform
}

/**
 * Checks this machine's clock. If it is slow, tokens and approvals expire too late and the audit log is out of order.
 */
export function checkClock({ now, latest, platform }: ClockFacts): readonly DoctorFinding[] {
  const why = findFault(now, latest)
  if (why === undefined) return []
  const fix = `set the clock: ${COMMANDS[platform] ?? 'sudo timedatectl set-ntp true'}`
  return [{ code: 'clock_wrong', level: 'error', text: why, fix }]
}

function findFault(now: number, latest: number | undefined): string | undefined {
  const shown = new Date(now).toISOString()
  if (now < EARLIEST) return `this machine's clock is wrong: it shows ${shown}`
  if (latest === undefined || latest - now <= TOLERATED_MS) return undefined
  return `this machine's clock shows ${shown}, but the store contains a later event, from ${new Date(latest).toISOString()}. Either the clock is slow now, or it was fast when that event was recorded. Until it catches up, tokens and approvals expire later than they should`
}

/** Finds the time of the latest event in the store; undefined if the store is empty. */
export async function findLatestMoment(
  { audit, tokens }: Pick<Store, 'audit' | 'tokens'>,
  known: readonly StoredDefinition[],
): Promise<number | undefined> {
  const moments = [
    ...(await audit.writers()).flatMap(({ startedAt, seenAt }) => [startedAt, seenAt]),
    ...(await tokens.list()).flatMap(({ createdAt, lastUsedAt = 0 }) => [createdAt, lastUsedAt]),
    ...known.flatMap(({ versions }) => versions.map(({ lastSeenAt }) => lastSeenAt)),
  ]
  // For a large store, `Math.max(...moments)` would exceed the limit on the number of arguments.
  return moments.length === 0 ? undefined : moments.reduce((latest, at) => Math.max(latest, at))
}

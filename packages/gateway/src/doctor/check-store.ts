import { statSync } from 'node:fs'
import { loadSqlite } from '../store/open/open-store.ts'
import { MIGRATIONS } from '../store/sqlite/migrations.ts'
import type { Store, StoredDefinition } from '../store/store.ts'
import { commandOf, type DoctorFinding, quote, type Repair } from './finding.ts'

/** Whoever opens what is missing or strange is told more. */
export function checkStore(store: StoreFacts): readonly DoctorFinding[] {
  if (store.kind !== 'ours') return []
  return [...checkVersion(store), ...checkDamage(store), ...checkResults(store)]
}

/** Whether it can be opened without anything being changed in it. */
export function mayOpen(store: StoreFacts): boolean {
  if (store.kind !== 'ours') return store.kind === 'strange'
  return store.version >= store.known && (store.damage ?? []).length === 0
}

type OurStore = Extract<StoreFacts, { readonly kind: 'ours' }>

function checkVersion({ file, version, known }: OurStore): readonly DoctorFinding[] {
  if (version >= known) return []
  const text = `${file} has tables of version ${version}, and this Hintgate wants ${known}; the next start changes them, after a backup. Until then nobody looked at what is in it`
  const fix = 'hintgate store migrate'
  return [{ code: 'store_older', level: 'warning', text, fix }]
}

function checkDamage({ file, damage }: OurStore): readonly DoctorFinding[] {
  const check = `sqlite3 ${quote(file)} 'pragma quick_check'`
  if (damage === undefined) {
    const text = `${file} is so large that nobody looked through it for damage`
    return [{ code: 'store_unchecked', level: 'info', text, fix: check }]
  }
  if (damage.length === 0) return []
  const text = [`${file} is damaged`, ...damage.map(line => `  | ${line}`)].join('\n')
  const fix = `stop the gateway and put a backup in its place (docs/operations.md, "Restore"), or save what can be read: sqlite3 ${quote(file)} .recover`
  return [{ code: 'store_corrupt', level: 'error', text, fix }]
}

function checkResults({ file, expired, version, known }: OurStore): readonly DoctorFinding[] {
  if (expired === 0 || version !== known) return []
  const text = `${expired} kept ${expired === 1 ? 'result' : 'results'} in ${file} should have been forgotten by now`
  const repair: Repair = { does: 'forget results', store: `sqlite:${file}` }
  return [{ code: 'results_expired', level: 'info', text, fix: commandOf(repair), repair }]
}

/** The file of a store, looked at without changing anything: opening a store would bring its tables up to date. */
export type StoreFacts =
  /** Opening it makes it, or says what is wrong with it. */
  | { readonly kind: 'missing' | 'strange'; readonly file: string }
  | {
      readonly kind: 'ours'
      readonly file: string
      /** Of its tables, and the newest that we know. */
      readonly version: number
      readonly known: number
      /** What is broken in it. Absent: it was too large to be looked through. */
      readonly damage?: readonly string[]
      /** Results that were to be forgotten by now. */
      readonly expired: number
    }

/** Looking through one takes a second or two for each GiB. */
const LARGEST_CHECKED = 2 ** 30
const TABLES = ['tokens', 'eras']

export async function inspectStore(file: string, now: number): Promise<StoreFacts> {
  try {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats === undefined) return { kind: 'missing', file }
    return await read(file, { isSmall: stats.size <= LARGEST_CHECKED, now })
  } catch {
    // Not a database, not a folder on the way to it, not ours to read: opening it says which.
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
    const damage = isSmall ? ask('pragma quick_check(3)').map(String) : undefined
    return {
      kind: 'ours',
      file,
      version: Number(ask('pragma user_version')[0]),
      known: MIGRATIONS.length,
      ...(damage && { damage: damage.filter(line => line !== 'ok') }),
      expired: hasResults ? Number(ask('select count(*) from results where expires_at <= ?', now)[0]) : 0,
    }
  } finally {
    database.close()
  }
}

/** Nobody can have installed this before. */
const EARLIEST = Date.UTC(2026, 0, 1)
/** Replicas on one database do not agree to the second. */
const TOLERATED_MS = 2 * 60 * 1000

const COMMANDS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
}

interface ClockFacts {
  readonly now: number
  /** The latest moment at which something is known to have happened. Absent: nothing has. */
  readonly latest?: number | undefined
  readonly platform: NodeJS.Platform
}

/** A clock that is behind lets tokens and approvals live too long, and puts the audit log out of order. */
export function checkClock({ now, latest, platform }: ClockFacts): readonly DoctorFinding[] {
  const why = findFault(now, latest)
  if (why === undefined) return []
  const fix = `set the clock: ${COMMANDS[platform] ?? 'sudo timedatectl set-ntp true'}`
  return [{ code: 'clock_wrong', level: 'error', text: why, fix }]
}

function findFault(now: number, latest: number | undefined): string | undefined {
  const shown = new Date(now).toISOString()
  if (now < EARLIEST) return `the clock of this machine says ${shown}, which is long ago`
  if (latest === undefined || latest - now <= TOLERATED_MS) return undefined
  return `the clock of this machine says ${shown}, but the store has something of ${new Date(latest).toISOString()}: it was set back, or was ahead then; until it gets there tokens and approvals end too late`
}

/** The latest moment at which the store knows that something happened. Undefined: it is empty. */
export async function findLatestMoment(
  { audit, tokens }: Pick<Store, 'audit' | 'tokens'>,
  known: readonly StoredDefinition[],
): Promise<number | undefined> {
  const moments = [
    ...(await audit.writers()).flatMap(({ startedAt, seenAt }) => [startedAt, seenAt]),
    ...(await tokens.list()).flatMap(({ createdAt, lastUsedAt = 0 }) => [createdAt, lastUsedAt]),
    ...known.flatMap(({ versions }) => versions.map(({ lastSeenAt }) => lastSeenAt)),
  ]
  // Not by spreading: a store may know of more than a function takes arguments.
  return moments.length === 0 ? undefined : moments.reduce((latest, at) => Math.max(latest, at))
}

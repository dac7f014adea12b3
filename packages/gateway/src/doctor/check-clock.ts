import type { Store, StoredDefinition } from '../store/store.ts'
import type { DoctorFinding } from './finding.ts'

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
  readonly latest?: number
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

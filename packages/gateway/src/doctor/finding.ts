import { chmodSync, rmSync } from 'node:fs'
import { createFolder } from '../base/create-folder.ts'
import { openStore } from '../store/open/open-store.ts'
import { endOrphans } from '../upstream/stdio/orphans.ts'

export interface DoctorFinding {
  /** The stable code, on which scripts rely. */
  readonly code: string
  /** The level; `info` needs no attention. */
  readonly level: 'error' | 'warning' | 'info'
  /** The text, which may quote a server, so it is shown as untrusted. */
  readonly text: string
  readonly fix: string
  readonly server?: string
  /** The repair that `--fix` makes, if there is a safe one. */
  readonly repair?: Repair
}

export function needsAttention({ level }: DoctorFinding): boolean {
  return level !== 'info'
}

/** A fix that doctor may apply by itself, because it loses nothing and is idempotent. */
export type Repair =
  | { readonly does: 'chmod'; readonly path: string; readonly mode: number }
  | { readonly does: 'mkdir'; readonly path: string }
  | { readonly does: 'remove'; readonly path: string }
  | { readonly does: 'forget results'; readonly store: string }
  | { readonly does: 'end processes'; readonly home: string }

/**
 * @example
 * commandOf({ does: 'chmod', path: '/home/ada/.hintgate', mode: 0o700 }) // => 'chmod 700 /home/ada/.hintgate'
 */
export function commandOf(repair: Repair): string {
  switch (repair.does) {
    case 'chmod':
      return `chmod ${repair.mode.toString(8)} ${quote(repair.path)}`
    case 'mkdir':
      return `mkdir -p -m 700 ${quote(repair.path)}`
    case 'remove':
      return `rm ${quote(repair.path)}`
    case 'forget results':
    case 'end processes':
      // No other command does this, but a gateway does it when it starts.
      return 'hintgate doctor --fix'
  }
}

/** Quotes a text for a shell, if necessary. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** Applies a repair. Returns the reason if it failed. */
export async function applyRepair(repair: Repair, now: number): Promise<string | undefined> {
  try {
    await carryOut(repair, now)
    return undefined
  } catch (error) {
    return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error)
  }
}

async function carryOut(repair: Repair, now: number): Promise<void> {
  switch (repair.does) {
    case 'chmod':
      return chmodSync(repair.path, repair.mode)
    case 'mkdir':
      createFolder(repair.path, 0o700)
      return
    case 'remove':
      // With `force`, it is no error if another process has removed the file in the meantime.
      return rmSync(repair.path, { force: true })
    case 'forget results':
      return forgetResults(repair.store, now)
    case 'end processes':
      await endOrphans(repair.home)
      return
  }
}

async function forgetResults(url: string, now: number): Promise<void> {
  const store = await openStore(url)
  try {
    await store.results.removeExpired(now)
  } finally {
    await store.close()
  }
}

export interface RepairReport {
  readonly code: string
  readonly command: string
  readonly outcome: 'planned' | 'done' | 'failed'
  readonly why?: string
}

interface Repaired {
  /** The findings that remain. */
  readonly findings: readonly DoctorFinding[]
  readonly repairs: readonly RepairReport[]
}

export function planRepairs(findings: readonly DoctorFinding[]): Repaired {
  const repairs = findings.flatMap(({ code, repair }): readonly RepairReport[] =>
    repair === undefined ? [] : [{ code, command: commandOf(repair), outcome: 'planned' }],
  )
  return { findings, repairs }
}

/** Carries out repairs in order, because a folder comes before its content. A failed repair does not stop the others. */
export async function carryOutRepairs(findings: readonly DoctorFinding[], now: number): Promise<Repaired> {
  const left: DoctorFinding[] = []
  const repairs: RepairReport[] = []
  for (const finding of findings) {
    const { code, repair } = finding
    const why = repair && (await applyRepair(repair, now))
    if (repair === undefined || why !== undefined) left.push(finding)
    if (repair === undefined) continue
    const outcome = why === undefined ? { outcome: 'done' as const } : { outcome: 'failed' as const, why }
    repairs.push({ code, command: commandOf(repair), ...outcome })
  }
  return { findings: left, repairs }
}

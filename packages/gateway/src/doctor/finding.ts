import { chmodSync, rmSync } from 'node:fs'
import { createFolder } from '../base/create-folder.ts'
import { openStore } from '../store/open/open-store.ts'
import { endOrphans } from '../upstream/stdio/orphans.ts'

export interface DoctorFinding {
  /** Identifies the kind of problem. Codes never change, because scripts rely on them. */
  readonly code: string
  /** The severity. A finding of level `info` needs no action. */
  readonly level: 'error' | 'warning' | 'info'
  /** Describes the problem. The text can quote a server, so it is displayed as untrusted. */
  readonly text: string
  readonly fix: string
  readonly server?: string
  /** The repair that `doctor --fix` carries out, if a safe one exists. */
  readonly repair?: Repair
}

export function needsAttention({ level }: DoctorFinding): boolean {
  return level !== 'info'
}

/** A repair that is safe for doctor to carry out on its own: it loses nothing and can be repeated. */
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
      // No other command makes this repair, although a gateway makes it when it starts.
      return 'hintgate doctor --fix'
  }
}

/** Quotes a string for use in a shell command, if necessary. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** Carries out one repair. Returns the reason if the repair failed. */
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
      // `force` avoids an error if another process has already removed the file.
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
  /** The findings that were not repaired. */
  readonly findings: readonly DoctorFinding[]
  readonly repairs: readonly RepairReport[]
}

export function planRepairs(findings: readonly DoctorFinding[]): Repaired {
  const repairs = findings.flatMap(({ code, repair }): readonly RepairReport[] =>
    repair === undefined ? [] : [{ code, command: commandOf(repair), outcome: 'planned' }],
  )
  return { findings, repairs }
}

/**
 * Carries out the repairs of findings in their order, because a folder must be repaired before its files. After a
 * failed repair, the others still run.
 */
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

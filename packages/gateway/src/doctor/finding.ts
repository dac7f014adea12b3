import { chmodSync, rmSync } from 'node:fs'
import { createFolder } from '../base/create-folder.ts'
import { openStore } from '../store/open/open-store.ts'
import { endOrphans } from '../upstream/stdio/orphans.ts'

export interface DoctorFinding {
  /** Stable; scripts rely on it. */
  readonly code: string
  /** `info` needs nobody's attention. */
  readonly level: 'error' | 'warning' | 'info'
  /** May quote what servers say of themselves, so it is shown as text of somebody else. */
  readonly text: string
  readonly fix: string
  readonly server?: string
  /** What `--fix` does about it, where that is safe. */
  readonly repair?: Repair
}

export function needsAttention({ level }: DoctorFinding): boolean {
  return level !== 'info'
}

/** Something that the doctor may mend by itself: it takes nothing from anybody, and can be done again. */
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
      // There is no other command for it: a gateway does so when it starts.
      return 'hintgate doctor --fix'
  }
}

/** As a shell reads it back. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** Mends one thing. Undefined: it is done; else why it could not be. */
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
      // Whoever was at it in the meantime has removed it.
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
  /** What is still there. */
  readonly findings: readonly DoctorFinding[]
  readonly repairs: readonly RepairReport[]
}

export function planRepairs(findings: readonly DoctorFinding[]): Repaired {
  const repairs = findings.flatMap(({ code, repair }): readonly RepairReport[] =>
    repair === undefined ? [] : [{ code, command: commandOf(repair), outcome: 'planned' }],
  )
  return { findings, repairs }
}

/** One after the other, for a folder comes before what is in it; what fails does not keep the rest from being done. */
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

import { applyRepair } from '../../doctor/apply-repair.ts'
import type { DoctorFinding } from '../../doctor/finding.ts'
import { commandOf } from '../../doctor/repair.ts'

/** Something that can be mended without asking anybody, and what became of it. */
export interface RepairReport {
  /** Of the finding. */
  readonly code: string
  /** The command that does the same. */
  readonly command: string
  readonly outcome: 'planned' | 'done' | 'failed'
  readonly why?: string
}

export interface Repaired {
  /** What is still there. */
  readonly findings: readonly DoctorFinding[]
  readonly repairs: readonly RepairReport[]
}

/** What would be mended; nothing is. */
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

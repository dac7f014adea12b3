import type { Repair } from './repair.ts'

/** Something that an operator should know, and what to do about it. */
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

/** Whether somebody has to do something. */
export function needsAttention({ level }: DoctorFinding): boolean {
  return level !== 'info'
}

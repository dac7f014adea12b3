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
}

/** Whether somebody has to do something. */
export function needsAttention({ level }: DoctorFinding): boolean {
  return level !== 'info'
}

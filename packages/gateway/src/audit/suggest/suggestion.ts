import type { WaiverDraft } from './write-waiver.ts'

export interface Suggestion {
  /** The id of the suggested rule. It stays the same as long as the rule does. */
  readonly id: string
  readonly draft: WaiverDraft
  /** One sentence that says which questions the rule would remove, and on what evidence. */
  readonly text: string
  /** The questions that the rule would have removed. All of them were approved by people. */
  readonly questions: number
  readonly sessions: number
  readonly people: readonly string[]
  readonly lastAt: number
  readonly covered: readonly CoveredCall[]
  /** What the rule would allow without a question, beyond the calls that were approved. */
  readonly newlyAllows: readonly string[]
  readonly replay: Replay
}

interface CoveredCall {
  readonly id: string
  readonly at: number
  readonly action: string
}

/** What the rule was tried against. None of these calls would have been let through. */
export interface Replay {
  /** The number of recorded hijacked runs with a call to this tool; undefined if there are no recorded runs. */
  readonly hijackedRuns: number | undefined
  /** The calls in the log that were denied. */
  readonly deniedCalls: number
  /** Calls with an attacker's values, made up from the calls that the rule covers. */
  readonly probes: number
}

export interface NotSuggested {
  readonly text: string
  readonly questions: number
  readonly why: string
}

export interface Suggestions {
  readonly suggestions: readonly Suggestion[]
  readonly rejected: readonly NotSuggested[]
  /** Questions in the log, and how many of them were approved by people. */
  readonly asked: number
  readonly approved: number
  /** Questions that all suggestions together would have removed. */
  readonly removed: number
  /** Questions that the waivers in force already remove. Nothing is suggested for them again. */
  readonly waived: number
}

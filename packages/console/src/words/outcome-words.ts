/** A call that waits for approval is recorded as refused, although it can still succeed. */
const WAITS = { outcome: 'refused', code: 'confirmation_required' } as const

/** Labels for outcomes, in badges and filters. */
export const OUTCOME_WORDS = {
  answered: 'answered',
  tool_error: 'tool error',
  error: 'protocol error',
  refused: 'refused',
  waits: 'approval required',
  failed: 'failed',
  asked: 'input required',
  cancelled: 'cancelled',
  unknown: 'unknown',
  open: 'running',
} as const

export type OutcomeWord = keyof typeof OUTCOME_WORDS

interface Ended {
  readonly outcome: string
  readonly code?: string | undefined
}

/** Returns the key of the label for a call. Undefined if the console does not know the outcome. */
export function outcomeWordOf({ outcome, code }: Ended): OutcomeWord | undefined {
  if (code === WAITS.code) return 'waits'
  return outcome in OUTCOME_WORDS ? (outcome as OutcomeWord) : undefined
}

/** Returns the API filter that finds the calls with this label. */
export function queryOfOutcome(word: string): Ended {
  return word === 'waits' ? WAITS : { outcome: word }
}

/** A call that only waits for a person is recorded as refused, and is not refused for good. */
const WAITS = { outcome: 'refused', code: 'confirmation_required' } as const

/** How calls end, and what that is called wherever it is shown or chosen. */
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

/** Under which of the words a call is shown. Undefined: under what it says itself. */
export function outcomeWordOf({ outcome, code }: Ended): OutcomeWord | undefined {
  if (code === WAITS.code) return 'waits'
  return outcome in OUTCOME_WORDS ? (outcome as OutcomeWord) : undefined
}

/** What to ask the API for to get the calls that are shown under this word. */
export function queryOfOutcome(word: string): Ended {
  return word === 'waits' ? WAITS : { outcome: word }
}

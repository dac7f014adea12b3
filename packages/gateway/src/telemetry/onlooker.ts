import type { OutcomeEntry } from '../audit/entry.ts'
import type { Watch } from '../call/steps.ts'
import type { Gather } from './gather-measures.ts'

/** Whoever looks on from outside. Nothing in the gateway depends on what it sees. */
export interface Onlooker {
  /** Absent where calls are not traced. */
  readonly watch?: Watch
  /** The trace that a request names in its headers, put where messages name theirs. */
  readonly adoptTrace?: (body: unknown, rawHeaders: readonly string[]) => unknown
  onOutcome(entry: OutcomeEntry): void
  readonly measures: Gather
}

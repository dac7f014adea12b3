import type { Json } from '../../protocol/messages.ts'

/** Recorded runs of agents that followed an attacker's text. */
export interface Hijacks {
  readonly runs: readonly HijackedRun[]
  /** The tools that are known to only read. */
  readonly reads: ReadonlySet<string>
}

export interface HijackedRun {
  /** The calls that the attacker wanted, in order. */
  readonly steps: readonly HijackStep[]
}

export interface HijackStep {
  readonly tool: string
  readonly args: Json
}

/**
 * Returns the calls with which attacks would succeed if nobody were asked about calls that `covers` accepts. An attack
 * is stopped at its first call that is more than a plain read, so only that call counts: if it still asks, a person has
 * noticed.
 */
export function stepsCovered(
  { runs, reads }: Hijacks,
  tool: string,
  covers: (step: HijackStep) => boolean,
): readonly HijackStep[] {
  return runs.flatMap(({ steps }) => {
    const first = steps.find(step => !reads.has(step.tool))
    return first !== undefined && first.tool === tool && covers(first) ? [first] : []
  })
}

import { type Assessment, type HintName, SPEC_HINTS } from '@hintgate/metadata'

/** The number of hints that a server's tools have, by source. */
export interface Coverage {
  readonly declared: number
  readonly inferred: number
  /** Hints from no source, for which the strictest value is assumed. */
  readonly assumed: number
  readonly overridden: number
}

type Judged = Pick<Assessment, 'declared' | 'effective'>

/**
 * Counts the hints that the specification defines.
 *
 * @example
 * measureCoverage([assessTool({ name: 'ping' })]) // => { declared: 0, inferred: 0, assumed: 4, overridden: 0 }
 */
export function measureCoverage(tools: readonly Judged[]): Coverage {
  const coverage = { declared: 0, inferred: 0, assumed: 0, overridden: 0 }
  for (const tool of tools) for (const hint of SPEC_HINTS) coverage[kindOf(tool, hint)] += 1
  return coverage
}

/**
 * Returns where a hint comes from. A declared hint counts even if it is not vouched for, because this measures what
 * authors declare.
 */
function kindOf({ declared, effective }: Judged, hint: HintName): keyof Coverage {
  const { source } = effective[hint]
  if (source === 'override') return 'overridden'
  if (declared.hints[hint] !== undefined) return 'declared'
  return source === 'inferred' ? 'inferred' : 'assumed'
}

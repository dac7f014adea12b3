import { type Assessment, type HintName, SPEC_HINTS } from '@hintgate/metadata'

/** Where the hints of a server's tools come from: how many of each kind. */
export interface Coverage {
  readonly declared: number
  readonly inferred: number
  /** Nobody said anything, so the strictest is assumed. */
  readonly assumed: number
  readonly overridden: number
}

type Judged = Pick<Assessment, 'declared' | 'effective'>

/**
 * Of the hints that the specification knows.
 *
 * @example
 * measureCoverage([assessTool({ name: 'ping' })]) // => { declared: 0, inferred: 0, assumed: 4, overridden: 0 }
 */
export function measureCoverage(tools: readonly Judged[]): Coverage {
  const coverage = { declared: 0, inferred: 0, assumed: 0, overridden: 0 }
  for (const tool of tools) for (const hint of SPEC_HINTS) coverage[kindOf(tool, hint)] += 1
  return coverage
}

/** What was declared counts as such although nobody vouched for it yet: it is the author who is measured. */
function kindOf({ declared, effective }: Judged, hint: HintName): keyof Coverage {
  const { source } = effective[hint]
  if (source === 'override') return 'overridden'
  if (declared.hints[hint] !== undefined) return 'declared'
  return source === 'inferred' ? 'inferred' : 'assumed'
}

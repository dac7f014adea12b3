import { type Coverage, measureCoverage } from '../catalog/coverage.ts'
import type { AssessedItem } from '../catalog/review/assess-items.ts'
import type { Era } from '../store/store.ts'

/** What is known of a server's tools, in numbers. */
export interface ServerSummary extends Coverage {
  readonly server: string
  readonly tools: number
  readonly approved: number
  readonly contradictions: number
  /** How it speaks; absent unless it was asked just now. */
  readonly era?: Era
  readonly version?: string
}

export function describeServers(
  assessed: readonly AssessedItem[],
  servers: ReadonlySet<string>,
): readonly ServerSummary[] {
  return [...servers].map(server => {
    const own = assessed.filter(({ item }) => item.stored.server === server)
    return {
      server,
      tools: own.length,
      approved: own.filter(({ item }) => item.state === 'approved').length,
      ...measureCoverage(own.map(({ assessment }) => assessment)),
      contradictions: own.reduce((sum, one) => sum + one.contradictions.length, 0),
    }
  })
}

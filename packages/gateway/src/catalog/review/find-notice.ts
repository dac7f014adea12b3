import { assessTool, kindOfVariant, type ToolDefinition } from '@hintgate/metadata'
import type { DefinitionVersion, StoredDefinition } from '../../store/store.ts'
import { TIGHTENED } from '../judge-definition.ts'

/** A change that applies without a review, and that people should know of. */
export interface Notice {
  /** `read → destructive`. */
  readonly text: string
  /** The last version that was not accepted for this reason. */
  readonly before: DefinitionVersion
}

/**
 * A tool that became stricter by its own word stays callable, but it may do more than its reviewer knew: what was a
 * read is now destructive. It is listed until a person approves this version.
 */
export function findNotice(
  { kind, versions }: StoredDefinition,
  current: DefinitionVersion,
  readDefinition: (version: DefinitionVersion) => ToolDefinition,
): Notice | undefined {
  if (kind !== 'tool' || current.review?.by !== TIGHTENED) return undefined
  const [before] = versions
    .filter(({ review }) => review?.verdict === 'approved' && review.by !== TIGHTENED)
    .toSorted((a, b) => (b.review?.at ?? 0) - (a.review?.at ?? 0))
  if (before === undefined) return undefined
  const [from, to] = [before, current].map(version => {
    return kindOfVariant(assessTool(readDefinition(version), { vouched: true }).variant)
  })
  return from === to ? undefined : { text: `${from} → ${to}`, before }
}

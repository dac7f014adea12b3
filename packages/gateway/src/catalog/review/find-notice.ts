import { assessTool, kindOfVariant, type ToolDefinition } from '@hintgate/metadata'
import type { DefinitionVersion, StoredDefinition } from '../../store/store.ts'
import { TIGHTENED } from '../judge-definition.ts'

/** A change that was accepted without a review, but that people should know about. */
export interface Notice {
  /** The change, such as `read → destructive`. */
  readonly text: string
  /** The last version before the changes that were accepted without a review. */
  readonly before: DefinitionVersion
}

/**
 * Finds the notice about a tool. A tool whose server declared it stricter stays callable, but might do more than its
 * reviewer knew: a read can now be destructive. The tool is listed until a person approves the current version.
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

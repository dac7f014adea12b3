import {
  type Assessment,
  assessTool,
  type Override,
  type Profile,
  type ToolDefinition,
} from '@hintgate/metadata'
import { type Contradiction, findContradictions } from '../contradictions.ts'
import type { ReviewItem } from './review-item.ts'

/** A tool that a server has, as it counts once somebody vouches for it. */
export interface AssessedItem {
  readonly item: ReviewItem
  readonly assessment: Assessment
  /** Promises that its own words deny, unless an operator settled them. */
  readonly contradictions: readonly Contradiction[]
}

interface Surroundings {
  readonly profile: Profile
  readonly overrideOf: (server: string, tool: string) => Override | undefined
}

/** Judges tools beside their siblings, as the gateway does. Only tools have hints. */
export function assessItems(
  items: readonly ReviewItem[],
  { profile, overrideOf }: Surroundings,
): readonly AssessedItem[] {
  const tools = items.filter(({ stored }) => stored.kind === 'tool')
  const siblings = new Map<string, ToolDefinition[]>()
  for (const { stored, definition } of tools) {
    const known = siblings.get(stored.server)
    if (known === undefined) siblings.set(stored.server, [definition])
    else known.push(definition)
  }
  return tools.map(item => {
    const { server, name } = item.stored
    const override = overrideOf(server, name)
    const assessment = assessTool(item.definition, {
      vouched: true,
      profile,
      siblings: siblings.get(server) ?? [],
      ...(override === undefined ? {} : { override }),
    })
    return { item, assessment, contradictions: findContradictions(assessment, override) }
  })
}

import type { Override, Profile, ToolDefinition } from '@hintgate/metadata'
import type { Contradiction } from './contradictions.ts'
import type { KnownNames } from './find-shadowing.ts'
import type { ReviewState } from './judge-definition.ts'
import { mapPolitely } from './map-politely.ts'
import type { Pinned } from './pins.ts'
import { type CatalogTool, toCatalogTool } from './to-catalog-tool.ts'

/** A tool that nobody may see or call until somebody has looked at it. */
export interface HeldTool {
  readonly server: string
  readonly name: string
  readonly fingerprint: string
  readonly state: Exclude<ReviewState, 'approved'>
  /** What is wrong with it, where it is more than news. For operators, never for agents. */
  readonly why?: string
  /** Promises that its own words deny; likewise for operators only. */
  readonly contradictions: readonly Contradiction[]
}

interface Surroundings {
  readonly profile: Profile
  readonly overrideOf: (server: string, tool: string) => Override | undefined
  /** Names that stand for two different tools. */
  readonly doubtful: ReadonlySet<string>
  readonly names: KnownNames
}

/** Who may be seen, and who waits. */
export async function sortTools(
  server: string,
  pinned: readonly Pinned[],
  { profile, overrideOf, doubtful, names }: Surroundings,
): Promise<{
  readonly tools: ReadonlyMap<string, CatalogTool>
  readonly held: ReadonlyMap<string, HeldTool>
}> {
  const tools = new Map<string, CatalogTool>()
  const held = new Map<string, HeldTool>()
  const siblings = pinned.map(({ definition }) => definition as ToolDefinition)
  await mapPolitely(pinned, ({ name, definition, fingerprint, standing }) => {
    const { state, isVouched } = standing
    const why = doubtful.has(name)
      ? 'the server lists two different tools of this name'
      : names.findShadowing({ server, name })
    // A person who looked at exactly this may know better than a rule.
    const isCleared = why === undefined || (standing.isSeen === true && !doubtful.has(name))
    const override = overrideOf(server, name)
    const judgement = { fingerprint, siblings, isVouched, profile, override }
    const tool = toCatalogTool(server, definition as ToolDefinition, judgement)
    if (state === 'approved' && isCleared) tools.set(name, tool)
    else
      held.set(name, {
        server,
        name,
        fingerprint,
        state: state === 'approved' ? 'pending' : state,
        ...(why === undefined ? {} : { why }),
        contradictions: tool.contradictions,
      })
  })
  return { tools, held }
}

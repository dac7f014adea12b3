import type { Override, Profile, ToolDefinition } from '@hintgate/metadata'
import { writeJson } from '../protocol/parse-json.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { KnownNames } from './find-shadowing.ts'
import type { ReviewState } from './judge-definition.ts'
import { mapInSlices } from './map-in-slices.ts'
import { hasValidParamHeaders } from './param-headers.ts'
import type { Named, Pinned } from './pins.ts'
import { type CatalogTool, type Contradiction, toCatalogTool } from './to-catalog-tool.ts'

/** A tool that is hidden from agents until it is reviewed. */
export interface HeldTool {
  readonly server: string
  readonly name: string
  readonly fingerprint: string
  readonly state: Exclude<ReviewState, 'approved'>
  /** The problem with the tool, if it is not simply new. Shown to operators, never to agents. */
  readonly why?: string
  /** The hints that the tool's own words contradict. Shown to operators, never to agents. */
  readonly contradictions: readonly Contradiction[]
}

interface Surroundings {
  readonly profile: Profile
  readonly overrideOf: (server: string, tool: string) => Override | undefined
  /** Names that two different tools of the server share. */
  readonly doubtful: ReadonlySet<string>
  readonly names: KnownNames
}

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
  await mapInSlices(pinned, ({ name, definition, fingerprint, standing }) => {
    const { state, isVouched } = standing
    const why = doubtful.has(name)
      ? 'the server lists two different tools with this name'
      : names.findShadowing({ server, name })
    // A person's review of exactly this version overrules the objection to its name.
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

/**
 * Finds different tools with the same name. Both wait for review, because it is unclear which one a call would reach.
 */
export function sortOut(definitions: readonly ToolDefinition[]): {
  readonly unique: readonly Named[]
  readonly doubtful: ReadonlySet<string>
} {
  const unique = new Map<string, Named>()
  const doubtful = new Set<string>()
  for (const definition of definitions) {
    const { name } = definition
    const first = unique.get(name)
    if (first === undefined) unique.set(name, { name, definition })
    else if (writeJson(first.definition) !== writeJson(definition)) doubtful.add(name)
  }
  return { unique: [...unique.values()], doubtful }
}

/**
 * False for a tool that cannot be called, because its server uses modern HTTP and the tool's headers cannot be written
 * correctly.
 */
export function isOfferable(tool: ToolDefinition, { config, handshake }: UpstreamServer): boolean {
  const needsHeaders = config.transport.kind === 'http' && handshake?.era === 'modern'
  return !needsHeaders || hasValidParamHeaders(tool.inputSchema)
}

import type { HintValues } from '@hintgate/metadata'
import type { Config } from '../../config/config.ts'
import type { StoredOverride } from '../../store/store.ts'
import { onWire } from './hint-flags.ts'

/** Hints that an operator set, wherever they did. */
export interface ListedOverride {
  readonly server: string
  readonly tool: string
  readonly hints: HintValues
  readonly from: 'config' | 'command'
  /** Only what was set by command is signed. */
  readonly by?: string
  readonly at?: number
}

/** By server and tool; where both say something, what the command said goes before the config. */
export function listOverrides(
  stored: readonly StoredOverride[],
  config: Config['overrides'],
): readonly ListedOverride[] {
  const written = Object.entries(config).flatMap(([server, tools]) =>
    Object.entries(tools).map(([tool, hints]): ListedOverride => ({ server, tool, hints, from: 'config' })),
  )
  const set = stored.map((override): ListedOverride => ({ ...override, from: 'command' }))
  return [...written, ...set].toSorted((a, b) => compare(keyOf(a), keyOf(b)))
}

/** The block that says all of it in the config; of the commands nothing is needed then any more. */
export function exportOverrides(overrides: readonly ListedOverride[]): {
  readonly overrides: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, boolean>>>>>>
} {
  const servers = new Map<string, Map<string, HintValues>>()
  for (const { server, tool, hints } of overrides) {
    const tools = servers.get(server) ?? new Map<string, HintValues>()
    servers.set(server, tools.set(tool, { ...tools.get(tool), ...hints }))
  }
  const blocks = [...servers].map(
    ([server, tools]) =>
      [
        server,
        Object.fromEntries([...tools].map(([tool, hints]) => [tool, onWire(hints)] as const)),
      ] as const,
  )
  return { overrides: Object.fromEntries(blocks) }
}

function keyOf({ server, tool }: ListedOverride): string {
  return `${server}\u0000${tool}`
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

import { type ScanContext, type ScanFinding, scanTool, type ToolDefinition } from '@hintgate/metadata'
import { readName } from '../../base/read-name.ts'
import type { StoredDefinition } from '../../store/store.ts'
import { idOf } from './review-item.ts'

/** Fields that the scanner of tools reads by itself. */
const READ = ['name', 'title', 'description', 'annotations', 'inputSchema', 'outputSchema', '_meta'] as const
const REST = '_meta'

/** Scans a definition of any kind, whole: prompts have arguments, instructions a text, and anybody may add fields. */
export function scanDefinition(definition: ToolDefinition, context: ScanContext): readonly ScanFinding[] {
  const rest = Object.fromEntries(
    Object.entries(definition).filter(([field]) => READ.every(read => read !== field)),
  )
  const found = scanTool(definition, context)
  if (Object.keys(rest).length === 0) return found
  const further = scanTool({ name: '', [REST]: rest }, context)
  return [
    ...found,
    ...further
      .filter(({ path }) => path.startsWith(`/${REST}/`))
      .map(finding => ({ ...finding, path: finding.path.slice(REST.length + 1) })),
  ]
}

/**
 * What surrounds the tools of a server. Of its own tools only those matter that others have, too; thousands of
 * names to no purpose would be read anew for every tool.
 */
export function surroundingsOf(server: string, known: readonly StoredDefinition[]): ScanContext {
  const tools = known.filter(({ kind, current }) => kind === 'tool' && current !== undefined)
  const foreign = tools.filter(tool => tool.server !== server)
  const names = new Set(foreign.map(({ name }) => readName(name)))
  const own = tools.filter(tool => tool.server === server && names.has(readName(tool.name)))
  return { server, otherTools: [...foreign, ...own].map(idOf) }
}

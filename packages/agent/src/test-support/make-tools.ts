import {
  fingerprint,
  type Graduation,
  type HintValues,
  projectMetadata,
  type ToolDefinition,
} from '@hintgate/metadata'
import type { ServerOptions } from '../agent-options.ts'
import type { AgentTool } from '../catalog/agent-tool.ts'
import { makeTool } from '../catalog/make-tool.ts'
import type { Change } from '../catalog/pins.ts'

/** Creates a definition that declares the given hints. */
export function define(name: string, hints: HintValues = {}, more: object = {}): ToolDefinition {
  const projected = projectMetadata({ behavior: { ...hints } })
  return { name, description: `The tool ${name}.`, inputSchema: { type: 'object' }, ...projected, ...more }
}

interface Wanted {
  readonly options?: ServerOptions
  readonly change?: Change
  readonly rules?: Graduation
}

export const RULES: Graduation = { read: 'never', write: 'never', destructive: 'always' }

/** Creates a tool. Its server is trusted unless the options say otherwise. */
export function toolOf(
  definition: ToolDefinition,
  { options, change, rules = RULES }: Wanted = {},
): AgentTool {
  const listed = { server: 's', name: definition.name, definition, facts: undefined, change }
  const trusted: ServerOptions = { command: 'x', trust: 'trusted' }
  return makeTool(
    { ...listed, fingerprint: fingerprint(definition) },
    { options: options ?? trusted, profile: 'gateway', rules, siblings: [] },
  )
}

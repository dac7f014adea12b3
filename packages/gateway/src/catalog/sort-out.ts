import type { ToolDefinition } from '@hintgate/metadata'
import { writeJson } from '../protocol/parse-json.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { hasValidParamHeaders } from './param-headers.ts'
import type { Named } from './pins.ts'

/** Of two tools with one name nobody could tell which is called: unless they are the same, both wait. */
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

/** A tool whose headers nobody could write right must not be called over modern HTTP. */
export function isOfferable(tool: ToolDefinition, { config, handshake }: UpstreamServer): boolean {
  const needsHeaders = config.transport.kind === 'http' && handshake?.era === 'modern'
  return !needsHeaders || hasValidParamHeaders(tool.inputSchema)
}

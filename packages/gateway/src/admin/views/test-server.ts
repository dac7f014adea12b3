import { homedir } from 'node:os'
import { join } from 'node:path'
import { displayTitle, type ToolDefinition } from '@hintgate/metadata'
import { isNamed } from '../../catalog/list-definitions.ts'
import { checkConfigText } from '../../config/load-config.ts'
import { probeServer } from '../../doctor/probe-server.ts'
import { maskEntry } from '../config/mask-entry.ts'
import type { Output } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'

interface Tested {
  readonly name: string
  readonly entry: unknown
}

/** Nobody waits longer in front of a form. */
const PATIENCE_MS = 20_000
const SHOWN_TOOLS = 200

/** Starts a server once, as the config would, and says what it found. Nothing of it stays. */
export async function testServer(
  { name, entry }: Tested,
  { place, config }: AdminDeps,
): Promise<Output<'testServer'>> {
  const startedAt = performance.now()
  const text = JSON.stringify({ mcpServers: { [name]: entry } })
  const path = place.path ?? join(place.folder, 'hintgate.json')
  const read = checkConfigText(text, path, { env: process.env, cwd: process.cwd(), homeDir: homedir() })
  const server = read.config?.servers[0]
  const nothing = { problems: [], tools: [], stderr: [] }
  const time = () => ({ durationMs: Math.round(performance.now() - startedAt) })
  if (read.problems.length > 0 || server === undefined) {
    const [first] = read.problems
    const error = first === undefined ? 'it is no server' : `${first.path}: ${first.message}; ${first.fix}`
    return {
      ...nothing,
      ok: false,
      error,
      problems: read.problems.map(problem => ({ ...problem })),
      ...time(),
    }
  }
  const hasty = { ...server, startTimeoutMs: Math.min(server.startTimeoutMs, PATIENCE_MS) }
  const probe = await probeServer(hasty, config().limits)
  const { failure, spoken, definitions, stderr } = probe
  return {
    ...nothing,
    ok: failure === undefined,
    ...(failure === undefined ? {} : { error: String(maskEntry(failure)) }),
    ...(spoken === undefined ? {} : { era: spoken.era, protocolVersion: spoken.version }),
    tools: definitions.filter(isNamed).slice(0, SHOWN_TOOLS).map(describeTool),
    stderr: stderr.map(line => String(maskEntry(line))),
    ...time(),
  }
}

function describeTool(definition: ToolDefinition): { name: string; title: string } {
  return { name: definition.name, title: displayTitle(definition) }
}

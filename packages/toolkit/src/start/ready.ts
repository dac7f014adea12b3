import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server'
import type { ReadyTool } from '../call/ready-tool.ts'
import type { Round } from '../mcp/round.ts'
import type { PromptEntry, ResourceEntry, ToolEntry } from './entries.ts'
import type { Home } from './home.ts'
import { type Environment, readEnv } from './read-env.ts'
import { ToolkitError, type ToolkitFinding } from './toolkit-error.ts'

/** Tools, resources and prompts, with the findings about them. */
export interface Offer {
  readonly tools: readonly ToolEntry[]
  readonly resources: readonly ResourceEntry[]
  readonly prompts: readonly PromptEntry[]
  readonly findings: readonly ToolkitFinding[]
  /** Connections to mounted servers. */
  readonly mounted: readonly { close(): Promise<void> }[]
}

/** Everything that has been added to a toolkit. */
export interface Parts extends Offer {
  readonly home: Home
  readonly info: { readonly name: string; readonly version: string; readonly title?: string }
  readonly instructions: string | undefined
  readonly stateKey: Uint8Array | string
}

/** A toolkit that can start: it has no errors, and all required environment variables are set. */
export interface Ready {
  readonly parts: Parts
  readonly tools: ReadonlyMap<string, ReadyTool>
  /** Each toolkit's checked environment, for its own tools, resources and prompts. */
  readonly envOf: ReadonlyMap<Home, unknown>
  readonly codec: RequestStateCodec<Round>
}

/** Returns the problems of all parts, including names that are used twice. */
export function findProblems(parts: Parts): readonly ToolkitFinding[] {
  return [
    ...parts.findings,
    ...findTwins(parts.tools, 'tool'),
    ...findTwins(parts.prompts, 'prompt'),
    ...findTwins(
      parts.resources.map(({ uri }) => ({ name: uri })),
      'resource',
    ),
  ]
}

export function refuseErrors(parts: Parts, findings: readonly ToolkitFinding[]): void {
  const errors = findings.filter(({ level }) => level === 'error')
  if (errors.length > 0) throw new ToolkitError(parts.home.name, errors)
}

export function makeReady(parts: Parts, environment: Environment): Ready {
  const homes = [
    parts.home,
    ...[...parts.tools, ...parts.resources, ...parts.prompts].map(({ home }) => home),
  ]
  const read = new Map([...new Set(homes)].map(home => [home, readEnv(home, environment)]))
  const missing = [...read.values()].flatMap(({ findings }) => findings)
  refuseErrors(parts, [...findProblems(parts), ...missing])
  const envOf = new Map([...read].map(([home, { env }]) => [home, env]))
  return {
    parts,
    tools: new Map(parts.tools.map(entry => [entry.name, { entry, env: envOf.get(entry.home) }])),
    envOf,
    codec: createRequestStateCodec<Round>({ key: parts.stateKey }),
  }
}

function findTwins(entries: readonly { readonly name: string }[], kind: string): ToolkitFinding[] {
  const seen = new Set<string>()
  const twins = entries.filter(({ name }) => seen.size === seen.add(name).size)
  return twins.map(({ name }) => ({
    subject: name,
    code: 'duplicate-name',
    level: 'error',
    path: 'name',
    message: `Another ${kind} has the same name.`,
    fix: 'Rename one of them.',
  }))
}

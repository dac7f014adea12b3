import { nearest, type ToolDefinition, toRecord } from '@hintgate/metadata'
import { InMemoryTransport, type McpServer, type Server, type Transport } from '@modelcontextprotocol/server'
import type { Context } from '../call/context.ts'
import type { ToolResult } from '../call/results.ts'
import type { CheckedInput } from '../input/checked-input.ts'
import type { ToolEntry } from '../start/entries.ts'
import type { Home } from '../start/home.ts'
import type { Offer } from '../start/ready.ts'
import type { ToolkitFinding } from '../start/toolkit-error.ts'
import { applyOverlay, type Overlay } from './apply-overlay.ts'
import { mountPrompts, mountResources } from './mount-rest.ts'
import { Peer, PeerError } from './peer.ts'

/** An SDK server in this process, or a client transport to a server elsewhere. */
export type Mountable = McpServer | Server | Transport

export interface MountOptions {
  /** A prefix for the names of tools and prompts, needed if two servers use the same names. */
  readonly prefix?: string
  /** Metadata for the mounted tools, by their original names. `false` leaves a tool out. */
  readonly tools?: Readonly<Record<string, Overlay | false>>
}

/** Reads everything that a server offers. The lists are read only once. */
export async function mountServer(server: Mountable, options: MountOptions, home: Home): Promise<Offer> {
  const peer = new Peer(await reach(server))
  await peer.open(home.name)
  const definitions = peer.capabilities.tools === undefined ? [] : await peer.list('tools/list', 'tools')
  const named = definitions.filter(isDefinition)
  const { tools: overlays = {}, prefix = '' } = options
  const shown = named.filter(({ name }) => overlayFor(overlays, name) !== false)
  const mounted = shown.map(original => mountTool(original, { peer, home, prefix, overlays }))
  return {
    tools: mounted.map(({ entry }) => entry),
    resources: await mountResources(peer, home),
    prompts: await mountPrompts(peer, home, prefix),
    findings: [...findStrangers(overlays, named), ...mounted.flatMap(({ findings }) => findings)],
    mounted: [peer],
  }
}

async function reach(server: Mountable): Promise<Transport> {
  if (!('connect' in server)) return server
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(theirs)
  return ours
}

function isDefinition(value: Readonly<Record<string, unknown>>): value is ToolDefinition {
  return typeof value.name === 'string'
}

interface Mounting {
  readonly peer: Peer
  readonly home: Home
  readonly prefix: string
  readonly overlays: NonNullable<MountOptions['tools']>
}

function overlayFor(overlays: Mounting['overlays'], name: string): Overlay | false | undefined {
  return Object.hasOwn(overlays, name) ? overlays[name] : undefined
}

function mountTool(
  original: ToolDefinition,
  { peer, home, prefix, overlays }: Mounting,
): { entry: ToolEntry; findings: readonly ToolkitFinding[] } {
  const overlay = overlayFor(overlays, original.name) || undefined
  const { definition, metadata, findings } = applyOverlay(original, { overlay, prefix, home })
  const entry: ToolEntry = {
    name: definition.name,
    home,
    definition,
    hints: toRecord(metadata).hints,
    input: passOn(original.inputSchema),
    output: original.outputSchema === undefined ? undefined : passOn(original.outputSchema),
    execute: (ctx: Context<unknown>, args: unknown) => forward(peer, original.name, { ctx, args }),
    effects: undefined,
    previewOf: undefined,
  }
  return { entry, findings: findings.map(finding => ({ subject: definition.name, ...finding })) }
}

/** Creates an input that accepts all values, because the mounted server checks the arguments itself. */
function passOn(schema: unknown): CheckedInput {
  const jsonSchema = typeof schema === 'object' && schema !== null ? { ...schema } : { type: 'object' }
  return { jsonSchema, check: value => ({ value }) }
}

async function forward(
  peer: Peer,
  name: string,
  { ctx, args }: { ctx: Context<unknown>; args: unknown },
): Promise<ToolResult> {
  const onProgress = ({ progress, total, message }: { progress: number; total?: number; message?: string }) =>
    void ctx.progress(progress, total, message).catch(() => {})
  try {
    const call = { name, arguments: args }
    return (await peer.request('tools/call', call, { signal: ctx.signal, onProgress })) as ToolResult
  } catch (error) {
    // An error message from the mounted server goes to the caller; other failures go to the log.
    if (error instanceof PeerError) return ctx.fail(error.message)
    throw error
  }
}

function findStrangers(overlays: Mounting['overlays'], named: readonly ToolDefinition[]): ToolkitFinding[] {
  const names = named.map(({ name }) => name)
  const strangers = Object.keys(overlays).filter(name => !names.includes(name))
  return strangers.map(name => {
    const meant = nearest(name, names)
    return {
      subject: name,
      code: 'unknown-tool',
      level: 'error',
      path: 'mount.tools',
      message: `The mounted server has no such tool.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
      fix: 'Use the name of an existing tool, or remove this entry.',
    }
  })
}

import type { Gateway } from './gateway.ts'
import { type Json, LegacyClient, type Message, ModernClient } from './raw-mcp.ts'
import type { Witness } from './witness.ts'

/** Shared by the tests of the search surface. */

export const ERAS = ['modern', 'legacy'] as const
export type Era = (typeof ERAS)[number]
export type Client = ModernClient | LegacyClient

/** All permissions. */
export const EVERYTHING = 'retrieve_tools,read,write,destructive'

export async function connect(url: string, token: string, era: Era = 'modern'): Promise<Client> {
  return era === 'modern' ? new ModernClient(url, token) : new LegacyClient(url, token).initialize()
}

export const searchUrl = (gateway: Gateway): string => `${gateway.url}/mcp`

export interface Refusal {
  readonly code: string
  readonly message: string
  readonly tool: string
  readonly variant?: string
  readonly verdict: string
  readonly reasons: readonly Json[]
  readonly remedy: string
  readonly field?: string
  readonly expected?: string
  readonly schema?: unknown
}

/** The refusal of a call; throws if the call was not refused. */
export function refusal(message: Message): Refusal {
  const { error } = (message.result?.structuredContent ?? {}) as { error?: Refusal }
  if (error === undefined || message.result?.isError !== true)
    throw new Error(`this is no refusal: ${JSON.stringify(message).slice(0, 2000)}`)
  return error
}

/** The answer of a tool of the search surface; throws for a refusal. */
export function dataOf<T = Json>(message: Message): T {
  const { structuredContent, isError } = message.result ?? {}
  if (structuredContent === undefined || isError === true)
    throw new Error(`this is no answer: ${JSON.stringify(message).slice(0, 2000)}`)
  return structuredContent as T
}

export interface FoundTool {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly inputSchema?: unknown
  readonly signature: string
  readonly annotations: Json
  readonly sources: Json
  readonly call_with: string
  readonly risk_level: number
  readonly category: string
  readonly domains: readonly string[]
  readonly score: number
  readonly confirm: string
}

export interface Found {
  readonly tools: readonly FoundTool[]
  readonly total: number
  readonly query: string
  readonly hidden?: { readonly filtered?: number }
  readonly hint?: string
}

export async function retrieve(client: Client, query: string, more: Json = {}): Promise<Found> {
  return dataOf<Found>(await client.call('retrieve_tools', { query, ...more }))
}

export const idsOf = ({ tools }: Found): string[] => tools.map(tool => tool.id)

interface SeenCall {
  readonly name: string
  readonly arguments?: Json
}

let marks = 0

/**
 * All calls that a server received. A last call goes to its `echo`; once it has arrived, everything before it has as
 * well.
 */
export async function callsSeenBy(
  server: string,
  witness: Witness,
  echo: (args: Json) => Promise<unknown>,
): Promise<readonly SeenCall[]> {
  const mark = `mark ${++marks}`
  await echo({ mark })
  await witness.saw(server, 'received', ({ raw }) => raw?.includes(mark) ?? false)
  return witness
    .of(server)
    .filter(({ method }) => method === 'tools/call')
    .map(({ raw }) => (JSON.parse(raw ?? '{}') as { params: SeenCall }).params)
    .filter(({ arguments: args }) => !String(args?.mark).startsWith('mark '))
}

/** The remark on a result that was cut, with how to read on. */
export interface Mark {
  readonly handle: string
  readonly total: number
  readonly shown: number
  readonly next: string
}

export function markOf(message: Message): Mark {
  const meta = message.result?._meta as Record<string, Mark> | undefined
  const mark = meta?.['io.hintgate/result']
  if (mark === undefined) throw new Error(`this was not cut: ${JSON.stringify(message).slice(0, 2000)}`)
  return mark
}

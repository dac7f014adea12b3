import type { CatalogTool } from '../../catalog/catalog.ts'
import type { Caller, Exchange } from '../../exchange/exchange.ts'
import type { Outcome } from '../../exchange/outcome.ts'
import type { Answer, Surface } from '../../exchange/surface.ts'
import type { Json } from '../../protocol/messages.ts'

/** A tool that an app can call by the name that the tool has at its own server. */
export interface AppCall {
  readonly tool: CatalogTool
  /** Who asks, as far as the gateway can know: a host does not say which of its apps made a call. */
  readonly asker: string
}

/** What an endpoint with many servers offers besides tools: resources, prompts, completions and apps. */
export interface FrontOfServers extends Pick<Surface, 'watch' | 'admit' | 'watchResources'> {
  /** Returns the capabilities to declare besides `tools`. They do not depend on which servers have started so far. */
  capabilitiesFor(caller: Caller): Json
  /** Returns undefined for a method that is not about resources, prompts or completions. */
  handle(exchange: Exchange): Promise<Answer> | undefined
  /** Replaces the URIs in a tool's result by addresses of this endpoint. */
  address(result: Json, server: string, caller: Caller): Json
  /** Returns the address of the app that shows a tool's results; undefined if the tool has none. */
  appAddress(tool: CatalogTool): string | undefined
  /** Returns what apps can call, by the names that they use. */
  callsForApps(caller: Caller): ReadonlyMap<string, AppCall>
}

/** Returns the function that replaces a server's URIs by addresses of an endpoint. */
export function addressAt(front: Pick<FrontOfServers, 'address'>): FrontOfServers['address'] {
  return (result, server, caller) => front.address(result, server, caller)
}

/** Returns the outcome of a tool call with addresses in place of the server's URIs. */
export function withLinks(
  outcome: Outcome,
  server: string,
  { caller, front }: { readonly caller: Caller; readonly front: Pick<FrontOfServers, 'address'> },
): Outcome {
  if (outcome.kind !== 'answered') return outcome
  const result = front.address(outcome.result, server, caller)
  return result === outcome.result ? outcome : { kind: 'answered', result, bytes: outcome.bytes }
}

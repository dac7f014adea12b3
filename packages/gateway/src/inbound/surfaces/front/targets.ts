import type { Caller, Exchange } from '../../../exchange/exchange.ts'
import type { Surface } from '../../../exchange/surface.ts'
import { isJsonObject, type Json, RPC, type RpcError } from '../../../protocol/messages.ts'
import { splitName } from '../../../protocol/server-name.ts'
import { mayUseServer } from '../../../scope/match-scope.ts'
import { type Located, readAddress } from './address.ts'
import { type AppDeps, isDeclaredApp } from './find-app.ts'
import type { View } from './view.ts'

/** A request for one server in that server's own names. */
interface ForServer {
  readonly server: string
  readonly params: Json
}

interface TargetDeps extends AppDeps {
  surfaceOf(server: string): Surface | undefined
}

/** Finds what the names and addresses of an endpoint mean to a caller. */
export class Targets {
  readonly #deps: TargetDeps
  readonly #view: View

  constructor(deps: TargetDeps, view: View) {
    this.#deps = deps
    this.#view = view
  }

  sees({ principal }: Caller, server: string): boolean {
    const isShown = mayUseServer(principal.scope, server) && this.#view.showsServer(server)
    return isShown && this.#deps.surfaceOf(server) !== undefined
  }

  /** Finds what a request is for, and its parameters in the server's own names. */
  find({ method, caller, params = {} }: Exchange): ForServer | { readonly error: RpcError } {
    if (method === 'prompts/get') {
      const found = this.#findPrompt(caller, params.name)
      return found === undefined
        ? { error: noPrompt(params.name) }
        : { server: found.server, params: { ...params, name: found.name } }
    }
    if (method === 'completion/complete') return this.#targetOfReference(caller, params)
    const located = this.#locate(caller, params.uri)
    return located === undefined
      ? { error: noResource(params.uri) }
      : { server: located.server, params: { ...params, uri: located.uri } }
  }

  /** A reference must name one thing of one server, because some servers look at its type and others at its members. */
  #targetOfReference(caller: Caller, params: Json): ForServer | { readonly error: RpcError } {
    const ref = isJsonObject(params.ref) ? params.ref : {}
    const { type, name, uri, ...rest } = ref
    if (type === 'ref/prompt') {
      const found = this.#findPrompt(caller, name)
      return found === undefined
        ? { error: noPrompt(name) }
        : { server: found.server, params: { ...params, ref: { ...rest, type, name: found.name } } }
    }
    if (type !== 'ref/resource') return { error: NO_REFERENCE }
    const located = this.#locate(caller, uri)
    return located === undefined
      ? { error: noResource(uri) }
      : { server: located.server, params: { ...params, ref: { ...rest, type, uri: located.uri } } }
  }

  #findPrompt(caller: Caller, name: unknown) {
    const found = splitName(name)
    return found !== undefined && this.sees(caller, found.server) ? found : undefined
  }

  /** Finds the resource behind an address. A server that the caller may not see is unknown, like one that is not there. */
  #locate(caller: Caller, address: unknown): Located | undefined {
    if (typeof address !== 'string') return undefined
    const app = this.#deps.apps.read(address)
    const located = app !== undefined && isDeclaredApp(this.#deps, app, caller) ? app : readAddress(address)
    return located !== undefined && this.sees(caller, located.server) ? located : undefined
  }

  /** Groups addresses by their servers. `unknown` is the first address that means nothing to this caller. */
  group(caller: Caller, addresses: readonly unknown[]) {
    const byServer = new Map<string, { readonly uri: string; readonly address: string }[]>()
    let unknown: string | undefined
    for (const address of addresses) {
      if (typeof address !== 'string') continue
      const located = this.#locate(caller, address)
      if (located === undefined) unknown ??= address
      else
        byServer.set(located.server, [...(byServer.get(located.server) ?? []), { uri: located.uri, address }])
    }
    return { byServer, unknown }
  }
}

const NO_REFERENCE: RpcError = {
  code: RPC.invalidParams,
  message: 'a completion needs a `ref` with the type ref/prompt or ref/resource',
}

export function noResource(uri: unknown): RpcError {
  if (typeof uri !== 'string')
    return { code: RPC.invalidParams, message: 'the request needs a `uri`, which must be a string' }
  return { code: RPC.invalidParams, message: `There is no resource ${JSON.stringify(uri)} that you can use.` }
}

function noPrompt(name: unknown): RpcError {
  if (typeof name !== 'string')
    return { code: RPC.invalidParams, message: 'the request needs a `name`, which must be a string' }
  return { code: RPC.invalidParams, message: `There is no prompt ${JSON.stringify(name)} that you can use.` }
}

import { appOf } from '../../../catalog/app-of-tool.ts'
import type { Catalog, CatalogTool } from '../../../catalog/catalog.ts'
import type { Caller } from '../../../exchange/exchange.ts'
import { isVisible } from '../../../search/visible.ts'
import { type Located, type UiAddresses, writeAddress } from './address.ts'
import type { ToAddress } from './links.ts'

export interface AppDeps {
  readonly catalog: Pick<Catalog, 'tools'>
  readonly apps: UiAddresses
}

/** Returns those tools of a server whose results an app shows and that the caller may call. */
export function toolsWithApp(
  { catalog }: Pick<AppDeps, 'catalog'>,
  server: string,
  caller: Caller,
): readonly CatalogTool[] {
  return catalog.tools(server).filter(tool => appOf(tool) !== undefined && isVisible(tool, caller))
}

/**
 * Whether an approved tool that the caller may call names the app. Only then does the app have an address, so no server
 * can have anything rendered that was not reviewed.
 */
export function isDeclaredApp(
  deps: Pick<AppDeps, 'catalog'>,
  { server, uri }: Located,
  caller: Caller,
): boolean {
  return toolsWithApp(deps, server, caller).some(tool => appOf(tool) === uri)
}

/** Returns the function that gives a server's URIs their addresses. */
export function addressesFor(deps: AppDeps, server: string, caller: Caller): ToAddress {
  return uri => {
    const app = deps.apps.write({ server, uri })
    return app !== undefined && isDeclaredApp(deps, { server, uri }, caller)
      ? app
      : writeAddress({ server, uri })
  }
}

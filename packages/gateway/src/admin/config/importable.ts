import { CLIENTS } from '../../client-configs/clients.ts'
import { openOwnConfig, writeOwnConfig } from '../../client-configs/own-config.ts'
import { currentPlace } from '../../client-configs/place.ts'
import { ALL_SCOPES, type ConfigImport, planConfigImport } from '../../client-configs/plan-config-import.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import type { Output } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { maskEntry } from './mask-entry.ts'

/** A server of a client that is not here yet. */
export type Imported = ConfigImport['servers'][number]

type Importable = Output<'listImportable'>['items'][number]

/** Servers in the configs of clients on this machine, as they would stand in ours. */
export function listImportable(deps: Pick<AdminDeps, 'place'>): Importable[] {
  const { servers, skipped } = plan(deps)
  return [
    ...servers.map(({ client, file, name, server }) => ({
      client,
      file,
      name,
      config: shownOf(server),
      isKnown: false,
    })),
    ...skipped
      .filter(({ isThere }) => isThere)
      .map(({ client, file, name }) => ({ client, file, name, config: {}, isKnown: true })),
  ]
}

/** What of these is kept outside of the config: where somebody adds what they were shown, its secrets come along. */
export function findImported(deps: Pick<AdminDeps, 'place'>, config: Json): Imported | undefined {
  const wanted = JSON.stringify(config)
  if (!wanted.includes('\u0024{file:')) return undefined
  return plan(deps).servers.find(({ server }) => JSON.stringify(shownOf(server)) === wanted)
}

/** Writes an imported server and its secrets; where the config is refused, neither is there. */
export function writeImported({ place }: Pick<AdminDeps, 'place'>, name: string, imported: Imported): void {
  const edits = [{ path: ['mcpServers', name], value: imported.server }]
  writeOwnConfig(openOwnConfig(flagsOf(place)), edits, imported.secrets)
}

function plan({ place }: Pick<AdminDeps, 'place'>): ConfigImport {
  const here = currentPlace()
  return planConfigImport(CLIENTS, {
    own: openOwnConfig(flagsOf(place), here),
    place: here,
    scopes: ALL_SCOPES,
  })
}

function flagsOf({ path, home }: AdminDeps['place']) {
  return { ...(path === undefined ? {} : { config: path }), ...(home === undefined ? {} : { home }) }
}

function shownOf(server: Json): Record<string, unknown> {
  const masked = maskEntry(server)
  return isJsonObject(masked) ? { ...masked } : {}
}

import { basename } from 'node:path'
import { HintgateError } from '../../base/errors.ts'
import type { Client, ClientFile, ClientScope } from '../../client-configs/clients.ts'
import { openOwnConfig } from '../../client-configs/own-config.ts'
import type { Place } from '../../client-configs/place.ts'
import { type ConfigImport, planConfigImport } from '../../client-configs/plan-config-import.ts'
import type { Scope } from '../../scope/scope.ts'
import type { WayFlags } from '../terminal/connect-way.ts'
import type { Context } from '../terminal/context.ts'
import type { AgreeFlags } from './connect-show.ts'

export interface ConnectFlags extends WayFlags, AgreeFlags {
  readonly scope?: string
  readonly name?: string
  readonly replace?: boolean
  readonly permissions?: string
  readonly servers?: string
  readonly expires?: string
}

/** One client's file that is to know the gateway. */
export interface Job {
  readonly client: Client
  readonly file: ClientFile
  readonly name: string
  readonly place: Place
  readonly flags: ConnectFlags
  readonly context: Context
  /** What its token may do, and until when. */
  readonly scope: Scope
  readonly expiresAt: number | undefined
}

export function fileOf(client: Client, scope: string | undefined, place: Place): ClientFile {
  const files = client.files(place)
  const found = files.find(file => file.scope === (scope ?? 'user'))
  if (found !== undefined) return found
  const known = files.map(file => file.scope satisfies ClientScope).join(' or ')
  throw new HintgateError('flag_invalid', { flag: '--scope', why: `${client.title} has ${known}` })
}

/** The client's name, or in a project with the project's behind it; a number where that is taken. */
export async function chooseAgent({ client, file, place, context }: Job): Promise<string> {
  const project = basename(place.cwd)
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 30)
  const base = file.scope === 'user' ? client.id : `${client.id}-${project}`
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`
    const known = await context.store.tokens.findByName(name)
    if (known === undefined || known.revokedAt !== undefined) return name
  }
}

/** What --replace takes out of this one file, and how it comes into our config. */
export function planMove({ client, file, place, flags }: Job): ConfigImport {
  const only = { ...client, files: () => [file] }
  return planConfigImport([only], { own: openOwnConfig(flags, place), place, scopes: [file.scope] })
}

/** What the client calls the servers that go. */
export function namesOf({ servers, skipped }: ConfigImport): readonly string[] {
  return [
    ...servers.map(({ original }) => original),
    ...skipped.filter(({ isThere }) => isThere).map(({ name }) => name),
  ]
}

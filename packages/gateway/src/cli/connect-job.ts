import { basename } from 'node:path'
import type { Client, ClientFile, ClientScope } from '../clients/client.ts'
import { openOwnConfig } from '../clients/own-config.ts'
import type { Place } from '../clients/place.ts'
import { type ConfigImport, planConfigImport } from '../clients/plan-config-import.ts'
import { HintgateError } from '../errors.ts'
import type { Scope } from '../tokens/scope.ts'
import type { AgreeFlags } from './connect-show.ts'
import type { WayFlags } from './connect-way.ts'
import type { Context } from './context.ts'

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

import { createHmac } from 'node:crypto'
import { parse } from 'jsonc-parser'
import type { Problem } from '../../base/errors/problem.ts'
import { CLIENTS } from '../../client-configs/clients.ts'
import { openOwnConfig, writeOwnConfig } from '../../client-configs/own-config.ts'
import { currentPlace } from '../../client-configs/place.ts'
import { ALL_SCOPES, type ConfigImport, planConfigImport } from '../../client-configs/plan-config-import.ts'
import { type ConfigEdit, editConfig, readConfigFile, restoreConfig } from '../../config/edit/edit-config.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import type { Output } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { AdminProblem, toDetail } from '../http/problem.ts'
import { maskEntry } from './mask-entry.ts'
import type { SetEntry } from './sign-overrides.ts'

export class ConfigFile {
  readonly #deps: Pick<AdminDeps, 'place' | 'key'>

  constructor(deps: Pick<AdminDeps, 'place' | 'key'>) {
    this.#deps = deps
  }

  /** Returns the entries under `mcpServers` as they are written in the file. */
  servers(): ReadonlyMap<string, Json> {
    const entries = this.#section('mcpServers')
    return new Map(entries.flatMap(([name, entry]) => (isJsonObject(entry) ? [[name, entry]] : [])))
  }

  /** Returns the entries under `toolsets` as they are written in the file. */
  toolsets(): ReadonlyMap<string, SetEntry> {
    const entries = this.#section('toolsets')
    const isEntry = (entry: unknown): entry is SetEntry => Array.isArray(entry) || isJsonObject(entry)
    return new Map(entries.flatMap(([name, entry]) => (isEntry(entry) ? [[name, entry]] : [])))
  }

  #section(key: string): readonly [string, unknown][] {
    const { path } = this.#deps.place
    const text = path === undefined ? '' : readConfigFile(path).text.replace(/^\uFEFF/, '')
    const value: unknown = parse(text, [], { allowTrailingComma: true })
    const written = isJsonObject(value) ? value[key] : undefined
    return isJsonObject(written) ? Object.entries(written) : []
  }

  /** Returns the etag of an entry, computed with a key so that the etag cannot be used to guess secrets. */
  etagOf(entry: unknown): string {
    const text = JSON.stringify(entry ?? null)
    return createHmac('sha256', this.#deps.key).update(`etag ${text}`).digest('base64url').slice(0, 22)
  }

  /** Changes the file and applies it; if that fails, restores the file. */
  async edit(edits: readonly ConfigEdit[]): Promise<void> {
    const path = this.#path()
    const { text, digest } = readConfigFile(path)
    const edited = editConfig(path, edits, { digest })
    if (edited.outcome === 'stale')
      throw new AdminProblem(
        'config_changed',
        'The config file is being edited. Load it again and repeat the change.',
      )
    if (edited.outcome === 'unwritable')
      throw new AdminProblem('config_unwritable', `The gateway cannot write ${path}. Edit it by hand.`)
    if (edited.outcome === 'refused')
      throw new AdminProblem(
        'refused',
        explain(edited.problems, 'The config file cannot be read.'),
        edited.problems.map(toDetail),
      )
    await this.#putIntoForce(text, edited)
  }

  /**
   * Imports a server from a client's config together with the secrets that its entry refers to. If either part fails,
   * nothing is imported.
   */
  async adopt(name: string, imported: Imported): Promise<void> {
    const { text } = readConfigFile(this.#path())
    const edits = [{ path: ['mcpServers', name], value: imported.server }]
    writeOwnConfig(openOwnConfig(flagsOf(this.#deps.place)), edits, imported.secrets)
    await this.#putIntoForce(text, readConfigFile(this.#path()))
  }

  /**
   * Applies the edited file. If that reveals a problem, such as a guardrail that cannot be compiled, the previous text
   * is restored.
   */
  async #putIntoForce(before: string, edited: { readonly digest: string }): Promise<void> {
    try {
      await this.#deps.place.reload()
    } catch (error) {
      restoreConfig(this.#path(), before, edited)
      throw error
    }
  }

  #path(): string {
    const { path } = this.#deps.place
    if (path !== undefined) return path
    const detail = 'The gateway runs without a config file. Create one with hintgate init.'
    throw new AdminProblem('config_unwritable', detail)
  }
}

export function explain(problems: readonly Problem[], otherwise: string): string {
  const [first] = problems
  return first === undefined ? otherwise : `${first.path}: ${first.message}; ${first.fix}`
}

type Imported = ConfigImport['servers'][number]

type Importable = Output<'listImportable'>['items'][number]

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

/**
 * Finds the client's server that an entry was copied from. Its secrets can be stored outside the entry and must be
 * imported too.
 */
export function findImported(deps: Pick<AdminDeps, 'place'>, config: Json): Imported | undefined {
  const wanted = JSON.stringify(config)
  if (!wanted.includes('\u0024{file:')) return undefined
  return plan(deps).servers.find(({ server }) => JSON.stringify(shownOf(server)) === wanted)
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
  return { config: path, home }
}

function shownOf(server: Json): Record<string, unknown> {
  const masked = maskEntry(server)
  return isJsonObject(masked) ? { ...masked } : {}
}

import { createHmac } from 'node:crypto'
import { parse } from 'jsonc-parser'
import { type ConfigEdit, editConfig, readConfigFile, restoreConfig } from '../../config/edit/edit-config.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { AdminProblem, toDetail } from '../http/problem.ts'
import { type Imported, writeImported } from './importable.ts'

/** The config file as it is now, and what is changed in it from here. */
export class ConfigFile {
  readonly #deps: Pick<AdminDeps, 'place' | 'key'>

  constructor(deps: Pick<AdminDeps, 'place' | 'key'>) {
    this.#deps = deps
  }

  /** Everything under `mcpServers`, as it is written. */
  servers(): ReadonlyMap<string, Json> {
    const written = this.#read().value.mcpServers
    const entries = isJsonObject(written) ? Object.entries(written) : []
    return new Map(entries.flatMap(([name, entry]) => (isJsonObject(entry) ? [[name, entry]] : [])))
  }

  /** Stands for what is written of a server; nobody can try secrets against it. */
  etagOf(entry: unknown): string {
    const text = JSON.stringify(entry ?? null)
    return createHmac('sha256', this.#deps.key).update(`etag ${text}`).digest('base64url').slice(0, 22)
  }

  /** Changes the file and puts it into force; where that is not possible, the file stays as it was. */
  async edit(edits: readonly ConfigEdit[]): Promise<void> {
    const { path, reload } = this.#place()
    const { text, digest } = readConfigFile(path)
    const edited = editConfig(path, edits, { digest })
    if (edited.outcome === 'stale')
      throw new AdminProblem(
        'config_changed',
        'Somebody is editing the config file; look again, then repeat.',
      )
    if (edited.outcome === 'unwritable')
      throw new AdminProblem('config_unwritable', `The gateway may not write ${path}; edit it by hand.`)
    if (edited.outcome === 'refused')
      throw new AdminProblem('refused', explain(edited.problems), edited.problems.map(toDetail))
    try {
      await reload()
    } catch (error) {
      // What only shows when it is put into force, such as a guardrail that cannot be compiled.
      restoreConfig(path, text, edited)
      throw error
    }
  }

  /** Takes over a server of a client, with the secrets that its entry refers to. */
  async adopt(name: string, imported: Imported): Promise<void> {
    const { path, reload } = this.#place()
    const { text } = readConfigFile(path)
    writeImported(this.#deps, name, imported)
    const { digest } = readConfigFile(path)
    try {
      await reload()
    } catch (error) {
      restoreConfig(path, text, { digest })
      throw error
    }
  }

  #read(): { readonly value: Json; readonly digest: string } {
    const { path } = this.#deps.place
    if (path === undefined) return { value: {}, digest: '' }
    const { text, digest } = readConfigFile(path)
    const value: unknown = parse(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true })
    return { value: isJsonObject(value) ? value : {}, digest }
  }

  #place(): { readonly path: string; readonly reload: () => Promise<void> } {
    const { place } = this.#deps
    const { path } = place
    if (path === undefined)
      throw new AdminProblem(
        'config_unwritable',
        'The gateway runs without a config file; make one with hintgate init.',
      )
    return { path, reload: () => place.reload() }
  }
}

function explain(
  problems: readonly { readonly path: string; readonly message: string; readonly fix: string }[],
): string {
  const [first] = problems
  return first === undefined ? 'It cannot be read.' : `${first.path}: ${first.message}; ${first.fix}`
}

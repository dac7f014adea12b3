import type { HintValues, Override } from '@hintgate/metadata'
import type { ConfiguredOverride } from '../config/config.ts'
import type { OverrideStore, StoredOverride } from '../store/store.ts'

type FromConfig = Readonly<Record<string, Readonly<Record<string, ConfiguredOverride>>>>

const EVERY_TOOL = '*'

/** Overrides that operators set by command, in addition to those in the config. */
export class Overrides {
  readonly #store: OverrideStore
  #stored: ReadonlyMap<string, StoredOverride> = new Map()
  #digest = '[]'

  constructor(store: OverrideStore) {
    this.#store = store
  }

  /** Loads the overrides. Returns true if any of them changed since the last time. */
  async load(): Promise<boolean> {
    const list = await this.#store.list()
    const digest = JSON.stringify(list)
    if (digest === this.#digest) return false
    this.#digest = digest
    this.#stored = new Map(list.map(override => [`${override.server}:${override.tool}`, override]))
    return true
  }

  /**
   * Finds a tool's override. For each hint, an override for the tool takes precedence over one for its server, and one
   * set by command over one in the config.
   */
  find(server: string, tool: string, config: FromConfig): Override | undefined {
    const said = [EVERY_TOOL, tool].flatMap(name => {
      const written = config[server]?.[name]
      const stored = this.#stored.get(`${server}:${name}`)
      return [
        ...(written === undefined ? [] : [{ ...written, by: 'config', at: '' }]),
        ...(stored === undefined
          ? []
          : [{ hints: stored.hints, by: stored.by, at: new Date(stored.at).toISOString() }]),
      ]
    })
    if (said.length === 0) return undefined
    // For everything other than hints, the override that comes last in `said` applies.
    const merged = Object.assign({}, ...said) as Override
    return { ...merged, hints: Object.assign({}, ...said.map(({ hints }) => hints)) as HintValues }
  }
}

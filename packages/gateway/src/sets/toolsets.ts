import type { ToolsetConfig } from '../config/config.ts'
import { Toolset, type ToolsetDeps } from './toolset.ts'

/** All toolsets of the config. A set keeps its object as long as the config names it. */
export class Toolsets {
  readonly #deps: ToolsetDeps
  readonly #sets = new Map<string, Toolset>()

  constructor(deps: ToolsetDeps) {
    this.#deps = deps
  }

  get all(): readonly Toolset[] {
    return [...this.#sets.values()]
  }

  find(name: string): Toolset | undefined {
    return this.#sets.get(name)
  }

  /** Applies a config. Returns the sets that it no longer names. */
  configure(configs: readonly ToolsetConfig[]): readonly Toolset[] {
    const wanted = new Map(configs.map(config => [config.name, config]))
    const gone = this.all.filter(({ name }) => !wanted.has(name))
    for (const set of gone) {
      this.#sets.delete(set.name)
      set.close()
    }
    for (const [name, config] of wanted) {
      const set = this.#sets.get(name) ?? new Toolset(name, this.#deps)
      this.#sets.set(name, set)
      set.configure(config)
    }
    return gone
  }
}

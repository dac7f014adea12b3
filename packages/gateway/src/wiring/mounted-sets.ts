import type { ToolsetConfig } from '../config/config.ts'
import type { Surface } from '../exchange/surface.ts'
import { type SetDeps, SetSurface } from '../inbound/surfaces/sets/set-surface.ts'
import type { Toolset, ToolsetDeps } from '../sets/toolset.ts'
import { Toolsets } from '../sets/toolsets.ts'
import { guardSurface } from './guard-surface.ts'

interface MountDeps extends ToolsetDeps {
  readonly surface: SetDeps
  /** Adds what every surface has. */
  wrap(surface: SetSurface): Surface
  onUnmounted(surface: Surface): void
  readonly onError: (error: unknown, requestId?: string) => void
}

/** The endpoints of all toolsets in the config. */
export class MountedSets {
  readonly #deps: MountDeps
  readonly #sets: Toolsets
  readonly #surfaces = new Map<string, Surface>()

  constructor(deps: MountDeps) {
    this.#deps = deps
    this.#sets = new Toolsets(deps)
  }

  get all(): readonly Toolset[] {
    return this.#sets.all
  }

  find(name: string): Toolset | undefined {
    return this.#sets.find(name)
  }

  surfaceOf(name: string): Surface | undefined {
    return this.#surfaces.get(name)
  }

  /** Applies a config. Clients of a set that stays keep their sessions. */
  apply(configs: readonly ToolsetConfig[]): void {
    for (const { name } of this.#sets.configure(configs)) {
      const surface = this.#surfaces.get(name)
      this.#surfaces.delete(name)
      if (surface !== undefined) this.#deps.onUnmounted(surface)
    }
    for (const set of this.#sets.all)
      if (!this.#surfaces.has(set.name))
        this.#surfaces.set(
          set.name,
          guardSurface(this.#deps.wrap(new SetSurface(set, this.#deps.surface)), this.#deps.onError),
        )
  }
}

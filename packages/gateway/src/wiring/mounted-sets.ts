import type { ToolsetConfig } from '../config/config.ts'
import type { Surface } from '../exchange/surface.ts'
import type { Front } from '../inbound/surfaces/front/front.ts'
import type { View } from '../inbound/surfaces/front/view.ts'
import type { FrontOfServers } from '../inbound/surfaces/front-of-servers.ts'
import { frontOfSet } from '../inbound/surfaces/sets/front-of-set.ts'
import { type SetDeps, SetSurface } from '../inbound/surfaces/sets/set-surface.ts'
import type { Toolset, ToolsetDeps } from '../sets/toolset.ts'
import { Toolsets } from '../sets/toolsets.ts'
import { guardSurface } from './guard-surface.ts'

interface MountDeps extends ToolsetDeps {
  readonly surface: Omit<SetDeps, 'front'>
  /** Creates the resources and prompts of an endpoint that shows the servers of a view. */
  readonly createFront: (view: View) => Front
  /** Adds what every surface has. */
  readonly wrap: (surface: SetSurface, front: FrontOfServers) => Surface
  onUnmounted(surface: Surface): void
  readonly onError: (error: unknown, requestId?: string) => void
}

interface Mounted {
  readonly front: Front
  readonly surface: Surface
}

/** The endpoints of all toolsets in the config. */
export class MountedSets {
  readonly #deps: MountDeps
  readonly #sets: Toolsets
  readonly #surfaces = new Map<string, Mounted>()

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
    return this.#surfaces.get(name)?.surface
  }

  /** Applies a config. Clients of a set that stays keep their sessions. */
  apply(configs: readonly ToolsetConfig[]): void {
    for (const { name } of this.#sets.configure(configs)) this.#unmount(name)
    for (const set of this.#sets.all) if (!this.#surfaces.has(set.name)) this.#mount(set)
  }

  #mount(set: Toolset): void {
    const { surface: deps, createFront, wrap, onError } = this.#deps
    const front = createFront(set)
    const own = frontOfSet(set, front)
    const surface = wrap(new SetSurface(set, { ...deps, front: own }), own)
    this.#surfaces.set(set.name, { front, surface: guardSurface(surface, onError) })
  }

  #unmount(name: string): void {
    const mounted = this.#surfaces.get(name)
    if (mounted === undefined) return
    this.#surfaces.delete(name)
    mounted.front.close()
    this.#deps.onUnmounted(mounted.surface)
  }
}

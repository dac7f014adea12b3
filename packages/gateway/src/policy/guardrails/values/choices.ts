import type { CallVariant } from '@hintgate/metadata'
import type { Facts } from '../../facts/facts.ts'

/** So many pairs of a caller and a tool are remembered; then it starts again. */
const MAX_KEPT = 10_000

type ByVariant<T> = Map<CallVariant, readonly T[]>
type ByTool<T> = Map<string, ByVariant<T>>
type ByServer<T> = Map<string, ByTool<T>>

/**
 * Which rules are for whom, found once for each caller, server, tool and variant. A map for each of them: joining
 * the four into one key would cost more than the look.
 */
export class Choices<T> {
  #byAgent = new Map<string, ByServer<T>>()
  #size = 0

  find({ agent, server, tool }: Facts): readonly T[] | undefined {
    return this.#byAgent.get(agent.name)?.get(server.name)?.get(tool.name)?.get(tool.variant)
  }

  keep({ agent, server, tool }: Facts, rules: readonly T[]): readonly T[] {
    if (this.#size >= MAX_KEPT) {
      this.#byAgent = new Map()
      this.#size = 0
    }
    const byServer: ByServer<T> = this.#byAgent.get(agent.name) ?? new Map()
    const byTool: ByTool<T> = byServer.get(server.name) ?? new Map()
    const byVariant: ByVariant<T> = byTool.get(tool.name) ?? new Map()
    byVariant.set(tool.variant, rules)
    byTool.set(tool.name, byVariant)
    byServer.set(server.name, byTool)
    this.#byAgent.set(agent.name, byServer)
    this.#size += 1
    return rules
  }
}

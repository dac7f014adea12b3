import { foldLookAlikes } from '@hintgate/metadata'
import { RESERVED_TOOL_NAMES } from '../protocol/reserved-tools.ts'

/**
 * Matches characters with which a name can imitate another. Plain names such as `getUser` and `getuser` are just two
 * names, but one with a Cyrillic letter is a disguise.
 */
export const NOT_ASCII = /\P{ASCII}/u

export interface ToolName {
  readonly server: string
  readonly name: string
}

/** The names of all other servers and their tools, folded once. */
export class KnownNames {
  readonly #servers: ReadonlySet<string>
  /** The tools' names as written, with their servers, keyed by the folded name. */
  readonly #tools = new Map<string, ToolName[]>()

  constructor(servers: readonly string[], tools: readonly ToolName[]) {
    this.#servers = new Set(servers)
    for (const tool of tools) {
      const folded = foldLookAlikes(tool.name)
      this.#tools.set(folded, [...(this.#tools.get(folded) ?? []), tool])
    }
  }

  /**
   * Returns the reason why a name must not be used: it imitates another one. Two servers can have tools with the same
   * name, because tools are called with their server's name. A name that only *looks* the same is refused.
   */
  findShadowing({ server, name }: ToolName): string | undefined {
    if (RESERVED_TOOL_NAMES.has(foldLookAlikes(name)))
      return "it has the name of one of the gateway's own tools"
    const foreign = [...this.#servers].find(
      other => other !== server && (name.startsWith(`${other}__`) || name.startsWith(`${other}:`)),
    )
    if (foreign !== undefined)
      return `its name looks like that of a tool on server ${JSON.stringify(foreign)}`
    const alike = this.#tools
      .get(foldLookAlikes(name))
      ?.find(other => other.name !== name && NOT_ASCII.test(name))
    if (alike === undefined) return undefined
    return `its name looks like that of ${JSON.stringify(alike.name)} on server ${JSON.stringify(alike.server)}`
  }
}

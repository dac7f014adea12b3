import type { Catalog, CatalogChange, HeldTool } from '../catalog/catalog.ts'
import type { CatalogTool } from '../catalog/to-catalog-tool.ts'
import { foldToolName } from '../config/check-toolsets.ts'
import type { ToolsetConfig } from '../config/config.ts'
import { matchesGlob } from '../scope/match-scope.ts'
import { defaultName, type HeldBack, presentTool, SEPARATOR, type SetTool } from './present-tool.ts'
import { isSelected, isSelectedByName, mayContainServer } from './select-tools.ts'

/** Something about a toolset that an operator should know. */
export interface SetProblem {
  readonly set: string
  /** The id, `server:tool`, of the tool or tools concerned. */
  readonly tools: readonly string[]
  /** `held`: the tools are not offered. `flagged`: they are. */
  readonly state: 'held' | 'flagged'
  readonly why: string
}

/** A tool of a server. */
interface Target {
  readonly server: string
  readonly tool: string
}

interface View {
  readonly byName: ReadonlyMap<string, SetTool>
  readonly byServer: ReadonlyMap<string, readonly SetTool[]>
  readonly problems: readonly SetProblem[]
}

export interface ToolsetDeps {
  readonly catalog: Pick<Catalog, 'tools' | 'held' | 'findHeld' | 'isKnown' | 'onChange'>
  /** The names of all servers, listed or not. */
  readonly servers: () => readonly string[]
}

const EMPTY: View = { byName: new Map(), byServer: new Map(), problems: [] }

/**
 * A named view of the catalog: chosen tools of several servers, as agents of the set see them. It follows the catalog
 * and the config, and offers only approved tools.
 */
export class Toolset {
  readonly name: string
  readonly #deps: ToolsetDeps
  readonly #listeners = new Set<(change: CatalogChange) => void>()
  readonly #stopListening: () => void
  #config: ToolsetConfig | undefined
  #view: View | undefined
  /** The tools with a name of their own, by that name. */
  #aliases: ReadonlyMap<string, Target> = new Map()
  /** The presentations under the current config. Unchanged tools keep theirs, because caches use them as keys. */
  #presented = new WeakMap<CatalogTool, SetTool | HeldBack>()

  constructor(name: string, deps: ToolsetDeps) {
    this.name = name
    this.#deps = deps
    this.#stopListening = deps.catalog.onChange(change => {
      this.#view = undefined
      this.#announce(change)
    })
  }

  /** Applies a config. Without one, the set is empty. */
  configure(config: ToolsetConfig | undefined): void {
    if (JSON.stringify(config) === JSON.stringify(this.#config)) return
    this.#config = config
    this.#aliases = aliasesIn(config)
    this.#presented = new WeakMap()
    this.#view = undefined
    for (const server of this.#deps.servers()) this.#announce({ server, isFirst: false })
  }

  get config(): ToolsetConfig | undefined {
    return this.#config
  }

  get problems(): readonly SetProblem[] {
    return this.#current.problems
  }

  /** Returns the tool with a name of this set. Names of servers' tools mean nothing here. */
  find(name: string): SetTool | undefined {
    return this.#current.byName.get(name)
  }

  /** Whether the set offers a tool of a server. Lists, prompts and resources depend on this. */
  contains(server: string, tool: string): boolean {
    return this.toolsOf(server).some(one => one.tool.name === tool)
  }

  /** Whether the set offers a tool, or might once its server has listed its tools or the tool was reviewed. */
  mayOffer(server: string, tool: string): boolean {
    if (!this.includesServer(server)) return false
    const isOffered = this.contains(server, tool) || !this.#deps.catalog.isKnown(server)
    return isOffered || this.#heldOf(server).some(({ name }) => name === tool)
  }

  /** Returns the set's name for a tool that it offers. */
  nameOf(server: string, tool: string): string | undefined {
    return this.toolsOf(server).find(one => one.tool.name === tool)?.name
  }

  /** Whether the set can offer tools of a server, listed or not. */
  includesServer(server: string): boolean {
    return this.#config !== undefined && mayContainServer(this.#config, server)
  }

  get offersResources(): boolean {
    return (this.#config?.resources.length ?? 0) > 0
  }

  /** Whether the set offers the resources, prompts and completions of a server. */
  showsServer(server: string): boolean {
    return this.#config?.resources.some(glob => matchesGlob(glob, server)) === true
  }

  get tools(): readonly SetTool[] {
    return [...this.#current.byName.values()]
  }

  toolsOf(server: string): readonly SetTool[] {
    return this.#current.byServer.get(server) ?? []
  }

  /** Returns a server's tools that wait for review and that the set will offer whatever the review finds. */
  #heldOf(server: string): readonly HeldTool[] {
    return this.#deps.catalog.held(server).filter(({ name }) => this.#selectsByName(server, name))
  }

  /** Whether a name of this set means a tool that waits for review. */
  isHeld(name: string): boolean {
    const { server, tool } = this.targetOf(name)
    if (nameIn(this.#config, server, tool) !== name) return false
    return this.#selectsByName(server, tool) && this.#deps.catalog.findHeld(server, tool) !== undefined
  }

  /**
   * Returns the tool that a name can mean, before the set's tools are known. Only `find` says whether the set offers it.
   */
  targetOf(name: string): Target {
    return this.#aliases.get(name) ?? splitAt(name, SEPARATOR) ?? { server: '', tool: name }
  }

  /** The set's tools as a search finds them. */
  get source(): Pick<Catalog, 'onChange' | 'tools' | 'held' | 'isKnown'> {
    return {
      onChange: listener => this.onChange(listener),
      tools: server => this.toolsOf(server).map(({ shown }) => shown),
      held: server => this.#heldOf(server),
      isKnown: server => this.includesServer(server) && this.#deps.catalog.isKnown(server),
    }
  }

  /** Whether the set cuts long answers of some of its tools, so that agents need a way to read the rest. */
  get cutsAnswers(): boolean {
    const { answerChars, overrides = {} } = this.#config ?? {}
    return answerChars !== undefined || Object.values(overrides).some(one => one.answerChars !== undefined)
  }

  onChange(listener: (change: CatalogChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#stopListening()
    this.configure(undefined)
  }

  #selectsByName(server: string, tool: string): boolean {
    return this.#config !== undefined && isSelectedByName(this.#config, server, tool)
  }

  #announce(change: CatalogChange): void {
    for (const listener of this.#listeners) listener(change)
  }

  get #current(): View {
    this.#view ??= this.#config === undefined ? EMPTY : this.#look(this.#config)
    return this.#view
  }

  #look(config: ToolsetConfig): View {
    const { catalog, servers } = this.#deps
    const chosen = servers()
      .filter(server => mayContainServer(config, server))
      .flatMap(server => catalog.tools(server))
      .filter(tool => isSelected(config, tool))
      .map(tool => ({ id: `${tool.server}:${tool.name}`, one: this.#present(config, tool) }))
    const offered = chosen.flatMap(({ one }) => ('kind' in one ? [] : [one]))
    const { unique, clashes } = separate(offered)
    const byName = new Map(unique.map(one => [one.name, one]))
    return {
      byName,
      byServer: groupByServer(unique),
      problems: [
        ...chosen.flatMap(({ id, one }) => ('kind' in one ? [this.#problem([id], 'held', one.why)] : [])),
        ...clashes.map(ones =>
          this.#problem(
            ones.map(({ tool }) => `${tool.server}:${tool.name}`),
            'held',
            `they have the same name, ${ones[0]?.name}; give one of them another name in the set's overrides`,
          ),
        ),
        ...unique.flatMap(({ tool, remarks }) =>
          remarks.map(why => this.#problem([`${tool.server}:${tool.name}`], 'flagged', why)),
        ),
        ...this.#unused(config, new Set(chosen.map(({ id }) => id))),
      ],
    }
  }

  /** Finds overrides of tools that the set does not contain, although their server is listed. */
  #unused({ overrides }: ToolsetConfig, chosen: ReadonlySet<string>): SetProblem[] {
    return Object.keys(overrides)
      .filter(id => {
        const [server = ''] = id.split(':', 1)
        const isWaiting = this.#deps.catalog.findHeld(server, id.slice(server.length + 1)) !== undefined
        return !chosen.has(id) && !isWaiting && this.#deps.catalog.isKnown(server)
      })
      .map(id =>
        this.#problem([id], 'flagged', 'the set contains no such tool, so its override has no effect'),
      )
  }

  #problem(tools: readonly string[], state: SetProblem['state'], why: string): SetProblem {
    return { set: this.name, tools, state, why }
  }

  #present({ overrides, surface, answerChars }: ToolsetConfig, tool: CatalogTool): SetTool | HeldBack {
    const known = this.#presented.get(tool)
    if (known !== undefined) return known
    const id = `${tool.server}:${tool.name}`
    const override = Object.hasOwn(overrides, id) ? overrides[id] : undefined
    // With search, agents read results that were cut as text, so that no schema is checked against them.
    const isCut = surface === 'direct' && (override?.answerChars ?? answerChars) !== undefined
    const one = presentTool(tool, override, { isCut })
    this.#presented.set(tool, one)
    return one
  }
}

function aliasesIn(config: ToolsetConfig | undefined): ReadonlyMap<string, Target> {
  const named = Object.entries(config?.overrides ?? {}).flatMap(([id, { name }]): [string, Target][] => {
    const target = name === undefined ? undefined : splitAt(id, ':')
    return name === undefined || target === undefined ? [] : [[name, target]]
  })
  return new Map(named)
}

function splitAt(text: string, separator: string): Target | undefined {
  const at = text.indexOf(separator)
  return at < 1 ? undefined : { server: text.slice(0, at), tool: text.slice(at + separator.length) }
}

function nameIn(config: ToolsetConfig | undefined, server: string, tool: string): string {
  const id = `${server}:${tool}`
  const override =
    config !== undefined && Object.hasOwn(config.overrides, id) ? config.overrides[id] : undefined
  return override?.name ?? defaultName(server, tool)
}

/** Separates tools with their own names from those that share one. Tools that share a name are not offered. */
function separate(offered: readonly SetTool[]): {
  readonly unique: readonly SetTool[]
  readonly clashes: readonly (readonly SetTool[])[]
} {
  const byFolded = new Map<string, SetTool[]>()
  for (const one of offered) {
    const folded = foldToolName(one.name)
    const others = byFolded.get(folded)
    if (others === undefined) byFolded.set(folded, [one])
    else others.push(one)
  }
  const groups = [...byFolded.values()]
  return {
    unique: groups.flatMap(group => (group.length === 1 ? group : [])),
    clashes: groups.filter(group => group.length > 1),
  }
}

function groupByServer(tools: readonly SetTool[]): ReadonlyMap<string, readonly SetTool[]> {
  const found = new Map<string, SetTool[]>()
  for (const one of tools) {
    const own = found.get(one.tool.server)
    if (own === undefined) found.set(one.tool.server, [one])
    else own.push(one)
  }
  return found
}

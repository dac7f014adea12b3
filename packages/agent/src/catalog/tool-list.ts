import {
  fingerprint,
  type Graduation,
  type Profile,
  showUntrusted,
  type ToolDefinition,
} from '@hintgate/metadata'
import type { ServerOptions } from '../agent-options.ts'
import { AgentError } from '../errors.ts'
import type { AgentTool } from './agent-tool.ts'
import { type GatewayTool, readGatewayTool } from './gateway-facts.ts'
import { isGateway, type Listed, makeTool } from './make-tool.ts'
import { Pins } from './pins.ts'

interface ListOptions {
  readonly server: string
  readonly options: ServerOptions
  readonly profile: Profile
  readonly rules: Graduation
  readonly onProblem: (problem: AgentError) => void
}

/** A tool, and the name under which its connection knows it. */
export interface WireTool {
  readonly wireName: string
  readonly tool: AgentTool
}

/** The tools of one connection, and the definitions that were accepted. */
export class ToolList {
  readonly #settings: ListOptions
  /** The accepted definitions of each server. A gateway offers the tools of many servers. */
  readonly #pins = new Map<string, Pins>()
  #isFirst = true
  /** All tools, by id. */
  #tools: ReadonlyMap<string, WireTool> = new Map()
  #sent: readonly ToolDefinition[] = []

  constructor(settings: ListOptions) {
    this.#settings = settings
  }

  get tools(): Iterable<WireTool> {
    return this.#tools.values()
  }

  find(id: string): WireTool | undefined {
    return this.#tools.get(id)
  }

  /** Reads a list of tools as the server sent it. The list replaces the previous one. */
  take(sent: readonly ToolDefinition[]): void {
    this.#sent = sent
    const { options, profile, rules } = this.#settings
    const read = this.#withoutTwins(sent).flatMap(definition => this.#read(definition))
    const groups = groupBy(read, ({ listed }) => listed.server)
    const tools = [...groups.values()].flatMap(group => {
      const siblings = group.map(({ listed }) => listed.definition)
      return group.map(({ wireName, listed }) => ({
        wireName,
        tool: makeTool(listed, { options, profile, rules, siblings }),
      }))
    })
    this.#tools = new Map(tools.map(wire => [wire.tool.id, wire]))
    if (this.#isFirst) for (const pins of this.#pins.values()) pins.begin()
    this.#isFirst = false
  }

  /** Accepts the current definition of a tool that has changed. */
  accept({ server, definition, fingerprint: print }: AgentTool): void {
    this.#pinsOf(server).accept(definition, print)
    this.take(this.#sent)
  }

  #read(sent: ToolDefinition): { wireName: string; listed: Listed }[] {
    const { server, options, onProblem } = this.#settings
    const read: GatewayTool = isGateway(options)
      ? readGatewayTool(sent)
      : { server, name: sent.name, definition: sent, facts: undefined }
    try {
      const print = fingerprint(read.definition)
      const change = this.#pinsOf(read.server).judge(read.definition, print)
      return [{ wireName: sent.name, listed: { ...read, fingerprint: print, change } }]
    } catch (cause) {
      const name = showUntrusted(sent.name, 80)
      onProblem(
        new AgentError(
          'invalid_result',
          `${server}: the definition of ${name} cannot be read, so the tool is skipped`,
          { server, cause },
        ),
      )
      return []
    }
  }

  /** Removes tools with the same name, because calls could not tell them apart. */
  #withoutTwins(sent: readonly ToolDefinition[]): readonly ToolDefinition[] {
    const { server, onProblem } = this.#settings
    const byName = groupBy(sent, ({ name }) => name)
    for (const [name, twins] of byName) {
      if (twins.length === 1) continue
      const text = `${server}: ${twins.length} tools have the name ${showUntrusted(name, 80)}, so all of them are skipped`
      onProblem(new AgentError('upstream_protocol', text, { server }))
    }
    return sent.filter(({ name }) => byName.get(name)?.length === 1)
  }

  #pinsOf(server: string): Pins {
    const known = this.#pins.get(server)
    if (known !== undefined) return known
    const pins = new Pins()
    if (!this.#isFirst) pins.begin()
    this.#pins.set(server, pins)
    return pins
  }
}

/** Node 20 does not have `Map.groupBy`. */
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

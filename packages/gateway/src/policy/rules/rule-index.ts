import { selects, type Target } from './match-rule.ts'
import type { Effect } from './policy-set.ts'
import type { Rule } from './rule.ts'

const RANK: Readonly<Record<Effect, number>> = { deny: 0, confirm: 1, allow: 2 }

/**
 * Rules by what they name exactly, so that a call is only held against rules that can be about it. Every rule is in
 * one place: under its tools, else its servers, else its agents, else among those that may be about anything.
 */
export class RuleIndex {
  readonly #byTool = new Map<string, number[]>()
  readonly #byServer = new Map<string, number[]>()
  readonly #byAgent = new Map<string, number[]>()
  readonly #anywhere: number[] = []
  /** In the order of their effects, and then of the files. */
  readonly #rules: readonly Rule[]

  constructor(rules: readonly Rule[]) {
    this.#rules = rules.toSorted((a, b) => RANK[a.effect] - RANK[b.effect])
    for (const [position, rule] of this.#rules.entries()) this.#file(rule, position)
  }

  /** Every rule that is about such calls: denies first, then confirms, then allows. */
  find(target: Target): readonly Rule[] {
    const positions = [
      ...(this.#byTool.get(target.tool.name) ?? []),
      ...(this.#byServer.get(target.server.name) ?? []),
      ...(this.#byAgent.get(target.agent.name) ?? []),
      ...this.#anywhere,
    ]
    return positions
      .sort((a, b) => a - b)
      .flatMap(position => {
        const rule = this.#rules[position]
        return rule !== undefined && selects(rule, target) ? [rule] : []
      })
  }

  #file(rule: Rule, position: number): void {
    const tools = rule.tools?.map(({ tool }) => tool)
    const servers = rule.servers ?? rule.tools?.map(({ server }) => server)
    if (areExact(tools)) add(this.#byTool, tools, position)
    else if (areExact(servers)) add(this.#byServer, servers, position)
    else if (areExact(rule.agents)) add(this.#byAgent, rule.agents, position)
    else this.#anywhere.push(position)
  }
}

function areExact(globs: readonly string[] | undefined): globs is readonly string[] {
  return globs?.every(glob => !glob.includes('*')) ?? false
}

function add(index: Map<string, number[]>, names: readonly string[], position: number): void {
  for (const name of new Set(names)) {
    const found = index.get(name)
    if (found === undefined) index.set(name, [position])
    else found.push(position)
  }
}

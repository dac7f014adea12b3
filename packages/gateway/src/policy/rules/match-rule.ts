import { HINTS } from '@hintgate/metadata'
import { matchesGlob } from '../../scope/match-scope.ts'
import type { Facts } from '../facts/facts.ts'
import type { HintDemand, Rule } from './rule.ts'

/** What selectors look at: everything about a call that does not change from one call to the next. */
export type Target = Pick<Facts, 'agent' | 'server' | 'tool'>

/** Whether a rule is about such calls at all; its condition is another matter. */
export function selects(rule: Rule, { agent, server, tool }: Target): boolean {
  const { agents, servers, tools, variants, hints } = rule
  return (
    (agents === undefined || agents.some(glob => matchesGlob(glob, agent.name))) &&
    (servers === undefined || servers.some(glob => matchesGlob(glob, server.name))) &&
    (tools === undefined ||
      tools.some(one => matchesGlob(one.server, server.name) && matchesGlob(one.tool, tool.name))) &&
    (variants === undefined || variants.includes(tool.variant)) &&
    (hints === undefined || hints.every(demand => meets(demand, tool)))
  )
}

function meets({ hint, value, sources }: HintDemand, { effective }: Target['tool']): boolean {
  const found = effective[hint]
  return (
    (value === undefined || found.value === value) &&
    (sources === undefined || sources.includes(found.source))
  )
}

/** `destructive (declared), not reversible (default)`: what the tool is, and on whose word. */
export function describeHints(demands: readonly HintDemand[], { effective }: Target['tool']): string {
  return demands
    .map(({ hint }) => {
      const { value, source } = effective[hint]
      return `${value ? '' : 'not '}${HINTS[hint].label} (${source})`
    })
    .join(', ')
}

import { foldLookAlikes } from '@hintgate/metadata'
import type { Complaint } from '../base/errors/problem.ts'
import { foldKey } from '../protocol/field-path.ts'
import type { Config, ToolsetConfig } from './config.ts'

/** Finds problems of toolsets: names that two tools share, and ids that name no tool. */
export function checkToolsets({ toolsets }: Pick<Config, 'toolsets'>): Complaint[] {
  return toolsets.flatMap(set => [...checkIds(set), ...checkAliases(set)])
}

/** Finds agents whose scope names a toolset that does not exist. */
export function checkTokenSets({
  toolsets,
  agentTokens,
}: Pick<Config, 'toolsets' | 'agentTokens'>): Complaint[] {
  const known = new Set(toolsets.map(({ name }) => name))
  return agentTokens.flatMap(({ name, scope }) => checkSets(name, scope.sets ?? [], known))
}

function checkIds({ name, overrides }: ToolsetConfig): Complaint[] {
  return Object.keys(overrides)
    .filter(id => !/^[^:*]+:[^*]+$/.test(id))
    .map(id => ({
      path: ['toolsets', name, 'overrides', id],
      aboutKey: true,
      message: 'expected the id of one tool',
      fix: 'write server:tool, such as "crm:get_contact"',
    }))
}

/** Names that differ only in case, or in characters that look the same, count as equal. */
export function foldToolName(name: string): string {
  return foldLookAlikes(foldKey(name))
}

function checkAliases({ name: set, overrides }: ToolsetConfig): Complaint[] {
  const owners = new Map<string, string>()
  return Object.entries(overrides).flatMap(([id, { name }]) => {
    if (name === undefined) return []
    const owner = owners.get(foldToolName(name))
    owners.set(foldToolName(name), owner ?? id)
    if (owner === undefined) return []
    const message = `${owner} and ${id} have the same name, ${name}`
    return [{ path: ['toolsets', set, 'overrides', id, 'name'], message, fix: 'give each tool its own name' }]
  })
}

function checkSets(agent: string, sets: readonly string[], known: ReadonlySet<string>): Complaint[] {
  return sets.flatMap((set, index) => {
    if (set.includes('*') || known.has(set)) return []
    const names = [...known].join(', ')
    const fix = names === '' ? 'add the toolset to "toolsets"' : `use one of ${names}`
    return [{ path: ['agent_tokens', agent, 'sets', index], message: `there is no toolset ${set}`, fix }]
  })
}
